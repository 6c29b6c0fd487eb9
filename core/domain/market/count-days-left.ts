import type { Schedule } from '#core/contract/market/schedule.ts'
import { localMoment, WEEKDAYS } from './local-moment.ts'
import { isScheduleOpen } from './schedule.ts'

const QUARTERS_A_DAY = 96
const QUARTERS_A_WEEK = 7 * QUARTERS_A_DAY
const DAY_MINUTES = 1440

/** When a client's orders take leads. */
export interface Hours {
  timezone: string
  /** null: always */
  schedule: Schedule | null
}

export interface Spending {
  /** cents */
  balance: number
  /** cents that were spent in the last `days` */
  spent: number
  /** days since the first of these purchases */
  days: number
  /** hours of the orders that run; without any, money counts as spent around the clock */
  hours: readonly Hours[]
}

/**
 * Whole days until the balance is used up at the recent pace; null if nothing was spent. The pace is that of the hours
 * in which an order takes leads, and only such hours use the balance up (docs/product.md §4). Hours are judged by the
 * quarter, and a change of the clocks is left out.
 */
export function countDaysLeft({ balance, spent, days, hours }: Spending, now: Date): number | null {
  if (spent <= 0) return null
  if (balance <= 0) return 0
  const week = listOpenQuarters(hours, now)
  const openInWeek = week.filter(Boolean).length
  // Bought this morning: the pace is that of a day, not of a minute.
  const past = Math.max(countPast(week, days), openInWeek / countOpenDays(hours))
  const left = (balance * past) / spent
  const weeks = Math.floor(left / openInWeek)
  return weeks * 7 + Math.floor(findLast(week, left - weeks * openInWeek) / QUARTERS_A_DAY)
}

/** The quarter of the week in which so many open quarters have passed. */
function findLast(week: readonly boolean[], open: number): number {
  let passed = 0
  return week.findIndex((isOpen) => {
    if (isOpen) passed += 1
    return passed > open
  })
}

/** Whether any order is open, for each quarter of an hour of the week that begins now. */
function listOpenQuarters(hours: readonly Hours[], now: Date): boolean[] {
  // Many orders have the same hours.
  const distinct = [...new Map(hours.map((one) => [JSON.stringify(one), one])).values()]
  const begins = distinct.map(({ timezone, schedule }) => {
    const { weekday, minute } = localMoment(timezone, now)
    return { schedule, from: WEEKDAYS.indexOf(weekday) * DAY_MINUTES + minute }
  })
  const week = Array.from({ length: QUARTERS_A_WEEK }, (_, quarter) =>
    begins.some(({ schedule, from }) => {
      const at = from + quarter * 15
      const weekday = WEEKDAYS[Math.floor(at / DAY_MINUTES) % 7] ?? 'mon'
      return isScheduleOpen(schedule, { weekday, minute: at % DAY_MINUTES })
    }),
  )
  return week.some(Boolean) ? week : week.map(() => true)
}

/** Open quarters of the last `days`, at most a week: the week before looks like the one that begins now. */
function countPast(week: readonly boolean[], days: number): number {
  const quarters = Math.min(Math.ceil(days * QUARTERS_A_DAY), QUARTERS_A_WEEK)
  return quarters === 0 ? 0 : week.slice(-quarters).filter(Boolean).length
}

/** Days of the week on which an order begins to take leads. */
function countOpenDays(hours: readonly Hours[]): number {
  const open = WEEKDAYS.filter((day) =>
    hours.some(({ schedule }) => schedule === null || (schedule[day] ?? []).length > 0),
  )
  return open.length === 0 ? WEEKDAYS.length : open.length
}
