import type { Resolver } from 'react-hook-form'
import { newOrderSchema, type Order, type OrderTerms } from '#core/contract/market/order.ts'
import type { FieldError } from '#core/contract/problem.ts'
import { SOLD_STATES } from '#core/domain/leads/us-states.ts'
import { findOrderFaults } from '#core/domain/market/orders/check-order.ts'
import { addDays, localMoment, whenDateBegins } from '#core/domain/market/local-moment.ts'

/** The form's values: fields are named as in the terms, numbers are typed text, moments are days. */
export interface OrderFormValues {
  name: string
  lead_type: string
  states: { all: boolean; codes: string[] }
  age_min: string
  age_max: string
  accept_unknown_age: boolean
  /** empty: any lead that is held */
  max_lead_age_minutes: string
  /** typed, with spaces or commas between them */
  zip_codes: string
  near_zip: string
  near_miles: string
  daily_cap: string
  weekly_cap: string
  monthly_cap: string
  total_cap: string
  daily_budget: string
  monthly_budget: string
  schedule: OrderTerms['schedule']
  timezone: string
  starts_at: string
  ends_at: string
  when_undelivered: OrderTerms['when_undelivered']
  /** the person whose leads it buys; null: everybody's */
  member_user_id: string | null
  active: boolean
}
export type OrderField = Exclude<keyof OrderFormValues, 'active'>
type Term = Exclude<keyof OrderTerms, 'excluded_sources'>

export interface OrderDefaults {
  leadType: string
  /** the zone of the business */
  timezone: string
  /** whether it takes leads as soon as it is created */
  active: boolean
  /** minutes; empty, the default: any lead that is held */
  maxLeadAge?: string
}

const WORKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri'] as const

/** Cautious defaults for a new order (docs/product.md §4). */
export function newOrderValues({
  leadType,
  timezone,
  active,
  maxLeadAge = '',
}: OrderDefaults): OrderFormValues {
  return {
    name: '',
    lead_type: leadType,
    states: { all: true, codes: [] },
    age_min: '',
    age_max: '',
    accept_unknown_age: true,
    max_lead_age_minutes: maxLeadAge,
    zip_codes: '',
    near_zip: '',
    near_miles: '',
    daily_cap: '10',
    weekly_cap: '',
    monthly_cap: '',
    total_cap: '',
    daily_budget: '',
    monthly_budget: '',
    schedule: Object.fromEntries(WORKDAYS.map((day) => [day, [['09:00', '18:00']]])),
    timezone,
    starts_at: '',
    ends_at: '',
    when_undelivered: 'keep',
    member_user_id: null,
    active,
  }
}

export function editOrderValues(order: Order): OrderFormValues {
  return {
    name: order.name,
    lead_type: order.lead_type,
    states: {
      all: order.states.length === 0,
      codes: order.states.filter((code) => SOLD_STATES.includes(code)),
    },
    age_min: showNumber(order.age_min),
    age_max: showNumber(order.age_max),
    accept_unknown_age: order.accept_unknown_age,
    max_lead_age_minutes: showNumber(order.max_lead_age_minutes),
    zip_codes: order.zip_codes.join(', '),
    near_zip: order.near_zip ?? '',
    near_miles: showNumber(order.near_miles),
    daily_cap: showNumber(order.daily_cap),
    weekly_cap: showNumber(order.weekly_cap),
    monthly_cap: showNumber(order.monthly_cap),
    total_cap: showNumber(order.total_cap),
    daily_budget: order.daily_budget ?? '',
    monthly_budget: order.monthly_budget ?? '',
    schedule: order.schedule,
    timezone: order.timezone,
    starts_at: order.starts_at === null ? '' : dateIn(order.timezone, order.starts_at, 0),
    // The order ends at the end of this day, so we take the moment before.
    ends_at: order.ends_at === null ? '' : dateIn(order.timezone, order.ends_at, -1),
    when_undelivered: order.when_undelivered,
    member_user_id: order.member_user_id,
    active: !order.paused_by_client,
  }
}

/** Returns the terms in the form of the API. Invalid input stays as it is, so that the schema refuses it. */
export function writeTerms(values: OrderFormValues): Record<Term, unknown> {
  const { states, timezone, starts_at, ends_at } = values
  return {
    name: values.name.trim(),
    lead_type: values.lead_type,
    states: states.all ? [] : states.codes.toSorted(),
    age_min: readNumber(values.age_min),
    age_max: readNumber(values.age_max),
    accept_unknown_age: values.accept_unknown_age,
    max_lead_age_minutes: readNumber(values.max_lead_age_minutes),
    zip_codes: readZipCodes(values.zip_codes),
    near_zip: values.near_zip.trim() === '' ? null : values.near_zip.trim(),
    near_miles: readNumber(values.near_miles),
    daily_cap: readNumber(values.daily_cap),
    weekly_cap: readNumber(values.weekly_cap),
    monthly_cap: readNumber(values.monthly_cap),
    total_cap: readNumber(values.total_cap),
    daily_budget: readAmount(values.daily_budget),
    monthly_budget: readAmount(values.monthly_budget),
    schedule: values.schedule,
    timezone,
    starts_at: starts_at === '' ? null : whenDateBegins(timezone, starts_at).toISOString(),
    ends_at: ends_at === '' ? null : whenDateBegins(timezone, addDays(ends_at, 1)).toISOString(),
    when_undelivered: values.when_undelivered,
  }
}

/** Parses the terms with the schema that the server also uses, or returns their errors. */
export function readTerms(
  values: OrderFormValues,
): { ok: true; terms: OrderTerms } | { ok: false; errors: FieldError[] } {
  const parsed = newOrderSchema.safeParse(writeTerms(values))
  const errors: FieldError[] =
    parsed.error?.issues.map(({ path, message }) => ({ path: path.join('.'), message })) ?? []
  if (!values.states.all && values.states.codes.length === 0)
    errors.push({ path: 'states', message: 'Choose at least one state, or all' })
  if (parsed.data === undefined) return { ok: false, errors }
  const { active: _active, timezone = values.timezone, ...rest } = parsed.data
  const terms = { ...rest, timezone }
  errors.push(...findOrderFaults(terms))
  return errors.length === 0 ? { ok: true, terms } : { ok: false, errors }
}

/** Returns the terms that have changed since `before`. */
export function changedTerms(values: OrderFormValues, before: OrderFormValues): Partial<OrderTerms> {
  const read = readTerms(values)
  if (!read.ok) return {}
  const old = writeTerms(before)
  const now = writeTerms(values)
  const names = Object.keys(now) as Term[]
  const changed = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(old[name]))
  return Object.fromEntries(changed.map((name) => [name, read.terms[name]]))
}

export const resolveOrder: Resolver<OrderFormValues> = (values) => {
  const read = readTerms(values)
  if (read.ok) return { values, errors: {} }
  const errors = groupFaults(read.errors).map(({ field, message }) => [field, { type: 'custom', message }])
  return { values: {}, errors: Object.fromEntries(errors) as Record<string, never> }
}

/** Groups errors by form field, the first of each. */
export function groupFaults(errors: readonly FieldError[]): { field: OrderField; message: string }[] {
  const names = Object.keys(newOrderValues({ leadType: '', timezone: '', active: false })) as OrderField[]
  return names.flatMap((field) => {
    const fault = errors.find(({ path }) => path.split('.')[0] === field)
    return fault === undefined ? [] : [{ field, message: fault.message }]
  })
}

function showNumber(value: number | null) {
  return value === null ? '' : String(value)
}

/** Splits a typed or pasted list. */
export function readZipCodes(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((code) => code !== ''))].toSorted()
}

function readNumber(text: string): unknown {
  const plain = text.trim().replaceAll(',', '')
  if (plain === '') return null
  return Number.isNaN(Number(plain)) ? text : Number(plain)
}

function readAmount(text: string): unknown {
  const plain = text.trim().replaceAll(/[$,]/g, '')
  return plain === '' ? null : plain
}

function dateIn(zone: string, iso: string, shiftMs: number) {
  return localMoment(zone, new Date(Date.parse(iso) + shiftMs)).date
}
