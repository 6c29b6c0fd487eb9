import { weekdaySchema, type Weekday } from '#core/contract/market/schedule.ts'
import type { Order, OrderTerms } from '#core/contract/market/order.ts'
import { sayMinutes } from '#core/domain/market/say-minutes.ts'
import { DAYS } from '#web/components/schedule/days.ts'
import { countOf } from '#web/format/count-of.ts'
import { formatMoney } from '#web/format/money.ts'
import { exactTime } from '#web/ui/show/format-time.ts'

export const WHEN_UNDELIVERED: readonly {
  value: OrderTerms['when_undelivered']
  label: string
  hint: string
}[] = [
  { value: 'keep', label: 'Keep it', hint: 'The lead stays yours and waits under Leads.' },
  { value: 'return', label: 'Return it', hint: 'The lead is returned, and its price comes back.' },
  {
    value: 'reoffer',
    label: 'Pass it on',
    hint: 'The lead is offered to the next client, and its price comes back.',
  },
]

export const FIELD_LABELS: Record<keyof OrderTerms, string> = {
  name: 'Name',
  lead_type: 'Lead type',
  states: 'States',
  age_min: 'Youngest age',
  age_max: 'Oldest age',
  accept_unknown_age: 'Leads without an age',
  excluded_sources: 'Excluded sources',
  max_lead_age_minutes: 'Maximum age of a lead',
  zip_codes: 'ZIP codes',
  near_zip: 'Around the ZIP code',
  near_miles: 'Miles around it',
  daily_cap: 'Leads a day',
  weekly_cap: 'Leads a week',
  monthly_cap: 'Leads a month',
  total_cap: 'Leads in all',
  daily_budget: 'Budget a day',
  monthly_budget: 'Budget a month',
  schedule: 'Hours',
  timezone: 'Time zone',
  starts_at: 'First day',
  ends_at: 'Last day',
  when_undelivered: 'Leads that cannot be delivered',
}

/** Returns "$25.00 a lead", or "$20.00 to $40.00 a lead" if states differ. */
export function sayPrice({ price, highest_price }: Pick<Order, 'price' | 'highest_price'>) {
  const most = price === highest_price ? '' : ` to ${formatMoney(highest_price)}`
  return `${formatMoney(price)}${most} a lead`
}

/** Returns for example "Up to 15 minutes old"; null for leads of any age. */
export function sayLeadAge({ max_lead_age_minutes: most }: Pick<OrderTerms, 'max_lead_age_minutes'>) {
  return most === null ? null : `Up to ${sayMinutes(most)} old`
}

/** Returns "All states", "CA, TX", or their number. */
export function sayStates(states: readonly string[]) {
  if (states.length === 0) return 'All states'
  return states.length <= 6
    ? states.join(', ')
    : `${states.slice(0, 5).join(', ')} and ${states.length - 5} more`
}

const MOST_ZIPS_NAMED = 4

/** Returns for example "ZIP 752, 75001, or within 25 miles of 75201"; null for every ZIP code. */
export function sayArea({
  zip_codes: codes,
  near_zip: zip,
  near_miles: miles,
}: Pick<OrderTerms, 'zip_codes' | 'near_zip'> & { near_miles: number | string | null }) {
  const more = codes.length - MOST_ZIPS_NAMED
  const named = codes.slice(0, MOST_ZIPS_NAMED).join(', ')
  const said = [
    ...(codes.length === 0 ? [] : [`ZIP ${named}${more > 0 ? ` and ${more} more` : ''}`]),
    ...(zip === null || miles === null ? [] : [`within ${miles} miles of ${zip}`]),
  ].join(', or ')
  return said === '' ? null : said.charAt(0).toUpperCase() + said.slice(1)
}

/** Returns for example "Ages 50 to 85"; null for any age. */
export function sayAges({ age_min, age_max }: Record<'age_min' | 'age_max', number | string | null>) {
  if (age_min === null && age_max === null) return null
  if (age_min === null) return `Ages to ${age_max}`
  return age_max === null ? `Ages from ${age_min}` : `Ages ${age_min} to ${age_max}`
}

export const ANY_LEAD_AGE = 'As long as we hold them'

/** Returns for example "Mon–Fri 09:00–18:00"; days with the same hours are joined. */
export function saySchedule(schedule: OrderTerms['schedule']) {
  if (schedule === null) return 'At all hours'
  const days = weekdaySchema.options.map((day) => ({
    day,
    hours: (schedule[day] ?? []).map(([from, to]) => `${from}–${to}`).join(', '),
  }))
  const runs: { first: Weekday; last: Weekday; hours: string }[] = []
  for (const { day, hours } of days) {
    const run = runs.at(-1)
    if (run?.hours === hours) run.last = day
    else runs.push({ first: day, last: day, hours })
  }
  return runs
    .filter(({ hours }) => hours !== '')
    .map(({ first, last, hours }) => {
      const until = first === last ? '' : `–${DAYS[last].short}`
      return `${DAYS[first].short}${until} ${hours}`
    })
    .join('; ')
}

/** Returns for example "From 2026-12-01 until 2026-12-31"; empty days mean now, and no end. */
export function sayDates(first: string, last: string) {
  const from = first === '' ? 'From now on' : `From ${first}`
  return last === '' ? from : `${from} until ${last}`
}

/** Returns for example "Ages 50 to 85, or not given"; typed values that are no numbers stay as they are. */
export function sayTypedAges(youngest: string, oldest: string, takesUnknown: boolean) {
  const said = sayAges({ age_min: youngest.trim() || null, age_max: oldest.trim() || null })
  if (said === null) return 'Any age'
  return takesUnknown ? `${said}, or not given` : said
}

/** Returns for example "50 a week, $100 a day": the limits beside the leads of a day. */
export function sayLimits({
  weekly_cap,
  monthly_cap,
  total_cap,
  daily_budget,
  monthly_budget,
}: Record<LimitField, string>) {
  const said = [
    [weekly_cap, 'a week'],
    [monthly_cap, 'a month'],
    [total_cap, 'in all'],
    [daily_budget && `$${daily_budget.replace('$', '')}`, 'a day'],
    [monthly_budget && `$${monthly_budget.replace('$', '')}`, 'a month'],
  ].filter(([limit]) => limit !== '')
  return said.length === 0 ? 'No other cap · no budget' : said.map((limit) => limit.join(' ')).join(', ')
}
export type LimitField = 'weekly_cap' | 'monthly_cap' | 'total_cap' | 'daily_budget' | 'monthly_budget'

export function nameUndelivered(chosen: OrderTerms['when_undelivered']) {
  return WHEN_UNDELIVERED.find(({ value }) => value === chosen)?.label ?? ''
}

/** Describes the value of any term, to compare two of them. */
export function sayTerm(field: keyof OrderTerms, terms: OrderTerms): string {
  switch (field) {
    case 'states':
      return sayStates(terms.states)
    case 'schedule':
      return saySchedule(terms.schedule)
    case 'zip_codes':
      return terms.zip_codes.length === 0 ? 'None' : terms.zip_codes.join(', ')
    case 'excluded_sources':
      return countOf(terms.excluded_sources.length, 'source')
    case 'accept_unknown_age':
      return terms.accept_unknown_age ? 'Taken' : 'Not taken'
    case 'max_lead_age_minutes':
      return terms.max_lead_age_minutes === null ? ANY_LEAD_AGE : sayMinutes(terms.max_lead_age_minutes)
    case 'when_undelivered':
      return nameUndelivered(terms.when_undelivered)
    case 'daily_budget':
    case 'monthly_budget':
      return formatOr(terms[field], formatMoney)
    case 'starts_at':
    case 'ends_at':
      return formatOr(terms[field], exactTime)
    default: {
      const value = terms[field]
      return value === null ? 'None' : value.toLocaleString('en-US')
    }
  }
}

function formatOr(value: string | null, format: (value: string) => string) {
  return value === null ? 'None' : format(value)
}
