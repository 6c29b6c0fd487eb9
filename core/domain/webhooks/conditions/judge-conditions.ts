import type { LeadFacts } from '#core/contract/webhooks/asked-delivery.ts'
import type { Conditions, LeadRule } from '#core/contract/webhooks/conditions.ts'
import { ageOn } from '../../leads/age-on.ts'
import { openZipArea, readCircle, type Place } from '../../market/orders/zip-area.ts'

type TextRule = Exclude<LeadRule, { field: 'age' | 'is_test' | 'zip' }>
type ZipRule = Extract<LeadRule, { field: 'zip' }>
/** Finds the centre of a ZIP code (core/zip-table). */
export type FindPlace = (zip: string) => Place | undefined

/** The browser knows no places: a circle has no lead there. */
const NOWHERE: FindPlace = () => undefined

/** Whether a lead is sent; `unmet` are the rules that it does not meet, none if it is sent. */
export type Fit = { fits: true } | { fits: false; unmet: readonly LeadRule[] }

/**
 * Conditions that are compiled once and judge many leads, in a time that does not grow with the number of their values.
 */
export interface CompiledConditions {
  match: Conditions['match']
  rules: ReadonlyArray<{ rule: LeadRule; fits: (lead: FoldedLead, at: Date) => boolean }>
}

/** A lead that many conditions check: each of its texts is folded once. */
export interface FoldedLead {
  facts: LeadFacts
  /** the folded text; undefined if it is missing */
  textOf: (field: TextRule['field']) => string | undefined
}

/**
 * The one rule by which planning, preview and test decide which leads a configuration is sent (docs/product.md §3).
 * @param conditions null means every lead
 * @param at the time at which ages are computed from dates of birth
 */
export function judgeConditions(
  conditions: Conditions | null,
  lead: LeadFacts,
  at: Date,
  findPlace = NOWHERE,
): Fit {
  return conditions === null
    ? { fits: true }
    : judgeCompiled(compileConditions(conditions, findPlace), foldLead(lead), at)
}

/** Like {@link judgeConditions}, for many leads or many conditions. */
export function judgeCompiled({ match, rules }: CompiledConditions, lead: FoldedLead, at: Date): Fit {
  const unmet = rules.filter((one) => !one.fits(lead, at)).map(({ rule }) => rule)
  const fits = match === 'all' ? unmet.length === 0 : unmet.length < rules.length
  return fits ? { fits } : { fits, unmet }
}

/** The fields of the unmet rules, once each. */
export function listUnmet({ unmet }: Extract<Fit, { fits: false }>): string[] {
  return [...new Set(unmet.map(({ field }) => field))]
}

export function compileConditions({ match, rules }: Conditions, findPlace = NOWHERE): CompiledConditions {
  return { match, rules: rules.map((rule) => ({ rule, fits: compileRule(rule, findPlace) })) }
}

export function foldLead(facts: LeadFacts): FoldedLead {
  const folded = new Map<string, string | undefined>()
  return {
    facts,
    textOf: (field) => {
      if (!folded.has(field)) {
        const value = valueOf(facts, field)
        folded.set(field, value === null || value === undefined ? undefined : fold(value))
      }
      return folded.get(field)
    },
  }
}

function valueOf(facts: LeadFacts, field: TextRule['field']): unknown {
  if (field === 'lead_type' || field === 'source' || field === 'state') return facts[field]
  const key = field.slice('custom.'.length)
  const value = Object.hasOwn(facts.custom, key) ? facts.custom[key] : null
  // A number that keeps its digits (core/contract/written-number.ts) is judged by its value.
  return typeof value === 'object' && value !== null && 'rawJSON' in value ? Number(value.rawJSON) : value
}

function compileRule(rule: LeadRule, findPlace: FindPlace): (lead: FoldedLead, at: Date) => boolean {
  switch (rule.field) {
    case 'age':
      return ({ facts }, at) => {
        const age = facts.age ?? ageOn(facts.date_of_birth, at)
        if (age === null) return rule.accept_unknown
        return (rule.from === null || age >= rule.from) && (rule.to === null || age <= rule.to)
      }
    case 'is_test':
      return ({ facts }) => facts.is_test === rule.is
    case 'zip':
      return compileZipRule(rule, findPlace)
    default:
      return compileTextRule(rule)
  }
}

/** A lead without a ZIP code is in no area. */
function compileZipRule({ is, is_not: isNot }: ZipRule, findPlace: FindPlace): (lead: FoldedLead) => boolean {
  const values = is ?? isNot ?? []
  const listed = values.filter((value) => readCircle(value) === undefined)
  const areas = [
    openZipArea({ zip_codes: listed, near_zip: null, near_miles: null }, findPlace),
    ...values.flatMap((value) => {
      const circle = readCircle(value)
      return circle === undefined ? [] : [openZipArea({ zip_codes: [], ...circle }, findPlace)]
    }),
  ]
  return ({ facts }) => areas.some((area) => area?.covers(facts.zip) === true) === (is !== undefined)
}

/**
 * Compared as text and in any case: a source may send 1, "1" or " Gold". A number also equals other spellings of its
 * value: 7.1 equals 7.10.
 */
function compileTextRule({ field, is, is_not: isNot }: TextRule): (lead: FoldedLead) => boolean {
  const named = new Set((is ?? isNot ?? []).map(fold))
  const numbers = new Set(
    [...named].filter((text) => DECIMAL.test(text)).map((text) => JSON.stringify(Number(text))),
  )
  return ({ textOf, facts }) => {
    const text = textOf(field)
    const isNamed =
      text !== undefined &&
      (named.has(text) || (numbers.has(text) && typeof valueOf(facts, field) === 'number'))
    return is === undefined ? !isNamed : isNamed
  }
}

const DECIMAL = /^-?\d+\.\d+$/

/** The text as people see it: without invisible characters, and in one composition of accents. */
function fold(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value))
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFC')
    .trim()
    .toLowerCase()
}
