import { isFederalHoliday } from '../holidays.ts'
import { addDays } from '../market/local-moment.ts'

/** Business days within which a caller must honour a revocation (47 CFR 64.1200(a)(10)). */
export const REVOCATION_DAYS = 10

const SUNDAY = 0
const SATURDAY = 6

/** Whether a date is from Monday to Friday and no federal holiday. @param date `YYYY-MM-DD` */
export function isBusinessDay(date: string): boolean {
  const day = weekdayOf(date)
  return day !== SUNDAY && day !== SATURDAY && !isFederalHoliday(date)
}

/** The last of so many business days after a date; the date itself does not count. @param date `YYYY-MM-DD` */
export function addBusinessDays(date: string, days: number): string {
  let last = date
  for (let left = days; left > 0;) {
    last = addDays(last, 1)
    if (isBusinessDay(last)) left -= 1
  }
  return last
}

/**
 * The number of business days after `from`, up to and including `until`; negative if `until` is the earlier one.
 * @param from `YYYY-MM-DD`
 * @param until `YYYY-MM-DD`
 */
export function countBusinessDays(from: string, until: string): number {
  if (until < from) return -countBusinessDays(until, from)
  let count = 0
  for (let date = from; date < until;) {
    date = addDays(date, 1)
    if (isBusinessDay(date)) count += 1
  }
  return count
}

/** 0 is Sunday. */
function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay()
}
