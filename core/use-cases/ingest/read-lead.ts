import { CUSTOM_LIMITS, INGEST_FIELDS, leadIngestSchema } from '#core/contract/leads/lead-ingest.ts'
import { trimCode } from '#core/contract/trim-invisible.ts'
import type { FieldError } from '#core/contract/problem.ts'
import { isNumber, writeNumber } from '#core/contract/written-number.ts'
import { normaliseLead, type Extras, type NormalisedLead } from '#core/domain/leads/normalise-lead.ts'
import { refuseText } from '#core/domain/refuse-text.ts'
import { withFurther } from '#core/domain/with-further.ts'
import { gatherExtras, type Extra } from './gather-extras.ts'

/** A lead as it is stored, and the fields that were left out; or its faults. */
export type LeadReading =
  | { ok: true; lead: NormalisedLead; warnings: FieldError[] }
  | { ok: false; errors: FieldError[] }

/**
 * Far more than there are fields, and more than `custom` and `utm` may hold; further fields of either are not examined.
 * A batch could bring hundreds of thousands of fields in one lead, each of which would be judged.
 */
const MOST_FIELDS = 1000
const CUT = `Was left out, but for its first ${MOST_FIELDS.toLocaleString('en-US')} fields`

/** An empty path is the lead itself. */
const NAMELESS = '(no name)'

/** The fields of a lead, sorted by where they go; `known` holds all values that were given under each name. */
interface SortedFields {
  known: Map<string, unknown[]>
  extras: Extra[]
  warnings: FieldError[]
}

/**
 * Reads one posted lead: known fields by the schema, `utm_…` into `utm`, every other field into `custom`, all of it
 * normalised. Only a known field can refuse the lead.
 */
export function readLead(item: unknown, now: Date): LeadReading {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return { ok: false, errors: [{ path: '', message: 'A lead must be an object of fields' }] }
  }
  const { known, extras, warnings } = sortFields(item)
  const given: Record<string, unknown> = {}
  const unfit: FieldError[] = []
  for (const [name, values] of known) {
    const { value, fault } = chooseValue(values, (one) => meaningOf(name, one, now))
    if (fault !== undefined) unfit.push({ path: name, message: fault })
    given[name] = value
  }
  const parsed = leadIngestSchema.safeParse(given)
  const errors = withFurther(
    unfit,
    parsed.error?.issues.map(({ path, message }) => ({ path: path.join('.'), message })) ?? [],
  )
  if (!parsed.success || errors.length > 0)
    return { ok: false, errors: [...errors, ...furtherErrors(given, errors, now)] }
  const gathered = gatherExtras(extras, CUSTOM_LIMITS)
  const reading = normaliseLead(parsed.data, gathered, dayOf(now))
  return reading.ok ? { ...reading, warnings: withFurther(warnings, gathered.warnings) } : reading
}

function sortFields(item: object): SortedFields {
  const sorted: SortedFields = { known: new Map(), extras: [], warnings: [] }
  const { fields, isCut } = listFields(item)
  if (isCut) {
    sorted.warnings.push({ path: '', message: CUT })
    for (const name of INGEST_FIELDS) if (Object.hasOwn(item, name)) fields.set(name, Reflect.get(item, name))
  }
  for (const [field, value] of fields) sortField(trimCode(field).toWellFormed(), value, sorted)
  return sorted
}

function sortField(name: string, value: unknown, { known, extras, warnings }: SortedFields): void {
  const into = name === 'custom' || name === 'utm' ? name : undefined
  if (into !== undefined) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || isNumber(value)) {
      if (!isNothing(value)) extras.push({ into, path: name, key: name, value })
      return
    }
    const { fields, isCut } = listFields(value)
    if (isCut) warnings.push({ path: name, message: CUT })
    for (const [key, member] of fields) extras.push({ into, path: `${name}.${key}`, key, value: member })
  } else if (INGEST_FIELDS.has(name)) {
    const earlier = known.get(name)
    const values: unknown[] = Array.isArray(value) ? value : [value]
    known.set(name, earlier === undefined ? values : [...earlier, ...values])
  } else {
    const [, member, key = name] = /^(custom(?=[.[])|utm(?=[_.[])).([^\]]+)\]?$/.exec(name) ?? []
    extras.push({ into: member === 'utm' ? 'utm' : 'custom', path: name || NAMELESS, key, value })
  }
}

/** The first fields of an object, without a list of all its names, which could take long. */
function listFields(object: object): { fields: Map<string, unknown>; isCut: boolean } {
  const fields = new Map<string, unknown>()
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue
    if (fields.size === MOST_FIELDS) return { fields, isCut: true }
    fields.set(name, Reflect.get(object, name))
  }
  return { fields, isCut: false }
}

/**
 * PHP writes an object without members as a list, and converters from XML to JSON write an empty element as an object.
 */
function isNothing(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === null || value === ''
  return !isNumber(value) && Object.keys(value).length === 0
}

/** Duplicates of one field that are compared; more of them count as different values. */
const MOST_WAYS = 10

/**
 * Reads a known field as one value, however often and in whatever form it is given, also as a list. Blank values do not
 * count.
 * @param meaningOf returns a value's normalised text; undefined if it is refused
 */
function chooseValue(
  values: readonly unknown[],
  meaningOf: (value: unknown) => string | undefined,
): { value: unknown; fault?: string | undefined } {
  const [first] = values
  if (values.length === 1 && !isNothing(first)) return { value: first, fault: faultOf(first) }
  const ways = new Map<string, unknown>()
  for (const value of values) {
    const text = textOf(value)
    if (text !== '' && ways.size <= MOST_WAYS && !ways.has(text)) ways.set(text, value)
  }
  const [chosen, ...others] = ways.values()
  const meaning = others.length === 0 ? undefined : meaningOf(chosen)
  const isOne =
    others.length === 0 ||
    (meaning !== undefined &&
      others.length < MOST_WAYS &&
      others.every((value) => faultOf(value) === undefined && meaningOf(value) === meaning))
  return { value: chosen, fault: isOne ? faultOf(chosen) : 'Is given twice, with different values' }
}

/** A minimal lead, used to find out the normalised form of one field. */
const ANYBODY = { lead_type: 'any', name: 'Any', email: 'any@example.com' }

function meaningOf(name: string, value: unknown, now: Date): string | undefined {
  const parsed = leadIngestSchema.safeParse({ ...ANYBODY, [name]: value })
  const reading = parsed.success ? normaliseLead(parsed.data, NO_EXTRAS, dayOf(now)) : undefined
  return reading?.ok === true ? JSON.stringify({ ...reading.lead, phone_raw: null }) : undefined
}

function faultOf(value: unknown): string | undefined {
  return typeof value === 'string' ? refuseText(value) : undefined
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return trimCode(value)
  if (isNothing(value)) return ''
  return isNumber(value) ? writeNumber(value) : JSON.stringify(value)
}

/** Finds the faults of the other fields, so that a sender can correct everything at once. */
function furtherErrors(
  known: Readonly<Record<string, unknown>>,
  errors: readonly FieldError[],
  now: Date,
): FieldError[] {
  const faulty = new Set(errors.map(({ path }) => path.split('.', 1)[0] ?? ''))
  const parsed = leadIngestSchema.safeParse(
    Object.fromEntries(Object.entries(known).filter(([name]) => !faulty.has(name))),
  )
  const reading = parsed.success ? normaliseLead(parsed.data, NO_EXTRAS, dayOf(now)) : undefined
  if (reading === undefined || reading.ok) return []
  // A field that is present but faulty is not missing, nor is the field that could replace it.
  const isAnswered = (path: string): boolean =>
    faulty.has(path) || (STAND_INS[path] ?? []).some((standIn) => faulty.has(standIn))
  return reading.errors.filter(({ path }) => !isAnswered(path))
}

const NO_EXTRAS: Extras = { custom: {}, utm: {} }

const STAND_INS: Readonly<Record<string, readonly string[]>> = {
  phone: ['email'],
  name: ['first_name', 'last_name'],
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}
