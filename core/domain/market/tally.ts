import { addDays, localMoment, whenDateBegins, type LocalMoment } from './local-moment.ts'

/**
 * The leads that an order has received, by the days, weeks and months of its zone; money is cents. Dates are
 * `YYYY-MM-DD`, or `-infinity`.
 */
export interface Tally {
  day: string
  day_leads: number
  day_spent: number
  /** a Monday */
  week: string
  week_leads: number
  /** the first of a month */
  month: string
  month_leads: number
  month_spent: number
  total_leads: number
}

const NEVER = '-infinity'

export const EMPTY_TALLY: Tally = {
  day: NEVER,
  day_leads: 0,
  day_spent: 0,
  week: NEVER,
  week_leads: 0,
  month: NEVER,
  month_leads: 0,
  month_spent: 0,
  total_leads: 0,
}

/**
 * The clock by which an order counts: that of its zone. After a change of zone it is the earlier zone's until the day
 * there is over, so that no change ends a day early.
 */
export interface Counting {
  timezone: string
  counts_in: string | null
  counts_in_until: Date | null
}

/** Day, week and month of an order at this moment, by its clock. */
export function countingMoment({ timezone, counts_in, counts_in_until }: Counting, at: Date): LocalMoment {
  const isBefore = counts_in !== null && counts_in_until !== null && at < counts_in_until
  return localMoment(isBefore ? counts_in : timezone, at)
}

/**
 * The zone that continues to count when an order's zone is changed: the day that is still counted by an earlier zone
 * goes on.
 */
export function countOn(order: Counting, zone: string, at: Date): Partial<Omit<Counting, 'timezone'>> {
  const { timezone, counts_in_until: until } = order
  if (zone === timezone || (until !== null && at < until)) return {}
  const tomorrow = addDays(localMoment(timezone, at).date, 1)
  return { counts_in: timezone, counts_in_until: whenDateBegins(timezone, tomorrow) }
}

/** When a date has begun for an order, by its clock. */
export function whenCountBegins(
  { timezone, counts_in_until: until }: Counting,
  date: string,
  at: Date,
): Date {
  const begins = whenDateBegins(timezone, date)
  return until !== null && at < until && begins < until ? until : begins
}

/** The tally at this moment: counts of a past day, week or month are dropped. */
export function readTally(tally: Tally, now: LocalMoment): Tally {
  // Not by equality: a clock that was set back must not reset a cap.
  const [day, week, month] = [
    isOver(tally.day, now.date),
    isOver(tally.week, now.monday),
    isOver(tally.month, now.firstOfMonth),
  ]
  if (!day && !week && !month) return tally
  return {
    ...tally,
    ...(day && { day: now.date, day_leads: 0, day_spent: 0 }),
    ...(week && { week: now.monday, week_leads: 0 }),
    ...(month && { month: now.firstOfMonth, month_leads: 0, month_spent: 0 }),
  }
}

/** The tally with one more lead. @param price in cents */
export function addToTally(tally: Tally, price: number, now: LocalMoment): Tally {
  const counted = readTally(tally, now)
  return {
    ...counted,
    day_leads: counted.day_leads + 1,
    day_spent: counted.day_spent + price,
    week_leads: counted.week_leads + 1,
    month_leads: counted.month_leads + 1,
    month_spent: counted.month_spent + price,
    total_leads: counted.total_leads + 1,
  }
}

function isOver(counted: string, current: string): boolean {
  return counted === NEVER || counted < current
}
