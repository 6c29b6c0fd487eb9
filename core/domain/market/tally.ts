import type { LocalMoment } from './local-moment.ts'

/** What an order has received, by the days, weeks and months of its zone; money is cents. Dates are `YYYY-MM-DD`, or `-infinity`. */
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

/** The tally as it counts at this moment: what is of a day, week or month that is over counts no more. */
export function readTally(tally: Tally, now: LocalMoment): Tally {
  // Not by equality: a clock that was put back opens no cap again.
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
