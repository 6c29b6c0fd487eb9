/** A holiday of one year. Dates are `YYYY-MM-DD`. */
export interface Holiday {
  name: string
  date: string
  /** the weekday on which it is kept: the Friday before a Saturday, the Monday after a Sunday */
  observed: string
}

/** The rule by which a holiday's date follows from its year. Months are 1 to 12; weekdays 0 (Sunday) to 6. */
export type HolidayRule = { name: string } & (
  | { month: number; day: number }
  /** the `nth` such weekday of the month; -1 is the last one */
  | { month: number; weekday: number; nth: number }
  /** days after Easter Sunday; before it if negative */
  | { easter: number }
  /** days after such a weekday */
  | { after: { month: number; weekday: number; nth: number }; days: number }
)

const DAY_MS = 86_400_000

/** The legal public holidays of 5 U.S.C. 6103(a). */
const FEDERAL: readonly HolidayRule[] = [
  { name: 'New Year’s Day', month: 1, day: 1 },
  { name: 'Birthday of Martin Luther King, Jr.', month: 1, weekday: 1, nth: 3 },
  { name: 'Washington’s Birthday', month: 2, weekday: 1, nth: 3 },
  { name: 'Memorial Day', month: 5, weekday: 1, nth: -1 },
  { name: 'Juneteenth National Independence Day', month: 6, day: 19 },
  { name: 'Independence Day', month: 7, day: 4 },
  { name: 'Labor Day', month: 9, weekday: 1, nth: 1 },
  { name: 'Columbus Day', month: 10, weekday: 1, nth: 2 },
  { name: 'Veterans Day', month: 11, day: 11 },
  { name: 'Thanksgiving Day', month: 11, weekday: 4, nth: 4 },
  { name: 'Christmas Day', month: 12, day: 25 },
]

/** The federal holidays of a year, in order (5 U.S.C. 6103; observed days by 6103(b) and Executive Order 11582). */
export function federalHolidays(year: number): Holiday[] {
  return FEDERAL.map((rule) => holidayOn(rule, year))
}

/**
 * Whether federal offices are closed for a holiday on this date (`YYYY-MM-DD`). New Year's Day of a Saturday is
 * observed on 31 December of the year before.
 */
export function isFederalHoliday(date: string): boolean {
  const year = Number(date.slice(0, 4))
  return [year, year + 1].some((of) => federalHolidays(of).some(({ observed }) => observed === date))
}

/** The date of a holiday in this year, and its observed day. */
export function holidayOn(rule: HolidayRule, year: number): Holiday {
  const date = dateOf(rule, year)
  const weekday = date.getUTCDay()
  const shift = weekday === 6 ? -1 : weekday === 0 ? 1 : 0
  return { name: rule.name, date: write(date), observed: write(addDays(date, shift)) }
}

function dateOf(rule: HolidayRule, year: number): Date {
  if ('easter' in rule) return addDays(easterOf(year), rule.easter)
  if ('day' in rule) return new Date(Date.UTC(year, rule.month - 1, rule.day))
  return 'after' in rule ? addDays(nthWeekday(rule.after, year), rule.days) : nthWeekday(rule, year)
}

function nthWeekday(
  { month, weekday, nth }: { month: number; weekday: number; nth: number },
  year: number,
): Date {
  if (nth > 0) {
    const first = new Date(Date.UTC(year, month - 1, 1))
    return addDays(first, ((weekday - first.getUTCDay() + 7) % 7) + (nth - 1) * 7)
  }
  const last = new Date(Date.UTC(year, month, 0))
  return addDays(last, -((last.getUTCDay() - weekday + 7) % 7))
}

/** Easter Sunday of the Gregorian calendar (the anonymous computus, Nature 1876). */
function easterOf(year: number): Date {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  const day = ((h + l - 7 * m + 114) % 31) + 1
  return new Date(Date.UTC(year, month - 1, day))
}

const addDays = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY_MS)
const write = (date: Date): string => date.toISOString().slice(0, 10)
