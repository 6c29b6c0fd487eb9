import { CUSTOM_LIMITS, INGEST_FIELDS, leadIngestSchema } from '#core/contract/leads/lead-ingest.ts'
import type { FieldError } from '#core/contract/problem.ts'
import { gatherFlat } from '#core/domain/leads/gather-custom.ts'
import { normaliseLead, type LeadReading } from '#core/domain/leads/normalise-lead.ts'
import { refuseTexts } from '#core/domain/refuse-text.ts'
import { withFurther } from '#core/domain/with-further.ts'

type Loose = { path: string; key: string; value: unknown }

/**
 * Far more than there are fields, and room for what `custom` and `utm` take; neither of these holds more. A batch may bring hundreds of
 * thousands in one lead, each of which would be judged.
 */
const MOST_FIELDS = 1000
const TOO_MANY = `at most ${MOST_FIELDS.toLocaleString('en-US')} fields`

/**
 * Reads one posted lead: known fields by the schema, `utm_…` into `utm`, every other flat field into `custom`, all of it
 * normalised.
 */
export function readLead(item: unknown, now: Date): LeadReading {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return { ok: false, errors: [{ path: '', message: 'A lead must be an object of fields' }] }
  }
  if (isCrowded(item)) return { ok: false, errors: [{ path: '', message: `A lead has ${TOO_MANY}` }] }
  const known: Record<string, unknown> = {}
  const unfit: FieldError[] = []
  const custom: Loose[] = []
  const utm: Loose[] = []
  for (const [field, value] of Object.entries(item)) {
    const name = field.trim().toWellFormed()
    if (isCrowded(value)) {
      unfit.push({ path: name, message: `Holds ${TOO_MANY}` })
      continue
    }
    unfit.push(...refuseTexts(value, name))
    const [, customKey] = /^custom[.[]([^\]]+)\]?$/.exec(name) ?? []
    const [, utmKey] = /^utm[_.[]([^\]]+)\]?$/.exec(name) ?? []
    if (Object.hasOwn(known, name)) unfit.push({ path: name, message: 'Is given twice' })
    else if (INGEST_FIELDS.has(name)) known[name] = value
    else if (customKey !== undefined) custom.push({ path: name, key: customKey, value })
    else if (utmKey !== undefined) utm.push({ path: name, key: utmKey, value })
    else custom.push({ path: name, key: name, value })
  }
  const parsed = leadIngestSchema.safeParse(known)
  const gathered = {
    custom: gatherFlat('custom', known['custom'], custom, CUSTOM_LIMITS),
    utm: gatherFlat('utm', known['utm'], utm, CUSTOM_LIMITS),
  }
  const errors = withFurther(unfit, [
    ...(parsed.error?.issues.map(({ path, message }) => ({ path: path.join('.'), message })) ?? []),
    ...gathered.custom.errors,
    ...gathered.utm.errors,
  ])
  if (parsed.success && errors.length === 0) {
    return normaliseLead(
      parsed.data,
      { custom: gathered.custom.values, utm: gathered.utm.values },
      dayOf(now),
    )
  }
  return { ok: false, errors: [...errors, ...furtherErrors(known, errors, now)] }
}

/** Without a list of all names, which alone would take long. */
function isCrowded(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.length > MOST_FIELDS
  let left = MOST_FIELDS
  for (const name in value) if (Object.hasOwn(value, name) && (left -= 1) < 0) return true
  return false
}

/** What is wrong with the other fields, so that a sender can correct everything at once. */
function furtherErrors(
  known: Readonly<Record<string, unknown>>,
  errors: readonly FieldError[],
  now: Date,
): FieldError[] {
  const faulty = new Set(errors.map(({ path }) => path.split('.', 1)[0] ?? ''))
  const parsed = leadIngestSchema.safeParse(
    Object.fromEntries(Object.entries(known).filter(([name]) => !faulty.has(name))),
  )
  const reading = parsed.success ? normaliseLead(parsed.data, { custom: {}, utm: {} }, dayOf(now)) : undefined
  if (reading === undefined || reading.ok) return []
  // A field that is there but faulty is not missing, nor is the one that could stand in for it.
  const isAnswered = (path: string): boolean =>
    faulty.has(path) || (STAND_INS[path] ?? []).some((standIn) => faulty.has(standIn))
  return reading.errors.filter(({ path }) => !isAnswered(path))
}

const STAND_INS: Readonly<Record<string, readonly string[]>> = {
  phone: ['email'],
  name: ['first_name', 'last_name'],
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}
