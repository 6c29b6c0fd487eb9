import { federalHolidays, holidayOn, type HolidayRule } from '../../holidays.ts'

const GOOD_FRIDAY: HolidayRule = { name: 'Good Friday', easter: -2 }

/** Ala. Code § 1-3-8. Mardi Gras is a holiday in two of its counties only, and left out. */
export const ALABAMA: readonly HolidayRule[] = [
  { name: 'Confederate Memorial Day', month: 4, weekday: 1, nth: 4 },
  { name: 'Jefferson Davis’ birthday', month: 6, weekday: 1, nth: 1 },
]

/** La. Rev. Stat. § 1:55. */
export const LOUISIANA: readonly HolidayRule[] = [
  { name: 'Battle of New Orleans', month: 1, day: 8 },
  { name: 'Mardi Gras', easter: -47 },
  GOOD_FRIDAY,
  { name: 'Huey P. Long Day', month: 8, day: 30 },
  { name: 'All Saints’ Day', month: 11, day: 1 },
]

/** The holidays that 73 P.S. § 2245(a)(10) is read to mean. */
export const PENNSYLVANIA: readonly HolidayRule[] = [
  GOOD_FRIDAY,
  { name: 'Flag Day', month: 6, day: 14 },
  // The Tuesday after the first Monday is one of 2 to 8 November.
  { name: 'Election Day', after: { month: 11, weekday: 1, nth: 1 }, days: 1 },
]

/** R.I. Gen. Laws § 5-23-1. */
export const RHODE_ISLAND: readonly HolidayRule[] = [{ name: 'Victory Day', month: 8, weekday: 1, nth: 2 }]

/** Utah Code § 63G-1-301, from May 2026. Easter is a Sunday, which is closed anyway. */
export const UTAH: readonly HolidayRule[] = [
  GOOD_FRIDAY,
  { name: 'Pioneer Day', month: 7, day: 24 },
  // Kept on the Monday before or after 19 June; both days are closed.
  { name: 'Juneteenth National Freedom Day', month: 6, weekday: 1, nth: 3 },
]

const kept = new Map<readonly HolidayRule[], Map<number, ReadonlyMap<string, string>>>()

/**
 * The name of the holiday on this date (`YYYY-MM-DD`): a federal one, or one of `further`. A holiday at a weekend counts
 * on its own date and on the day on which it is kept, because the states differ in that.
 */
export function holidayName(date: string, further: readonly HolidayRule[]): string | undefined {
  const years = kept.get(further) ?? new Map<number, ReadonlyMap<string, string>>()
  kept.set(further, years)
  const year = Number(date.slice(0, 4))
  const names = years.get(year) ?? nameHolidays(year, further)
  years.set(year, names)
  return names.get(date)
}

/** New Year's Day of the next year may be kept in this one. */
function nameHolidays(year: number, further: readonly HolidayRule[]): ReadonlyMap<string, string> {
  const holidays = [year, year + 1].flatMap((of) => [
    ...further.map((rule) => holidayOn(rule, of)),
    ...federalHolidays(of),
  ])
  return new Map(
    holidays.flatMap(({ name, date, observed }) => [[observed, name] as const, [date, name] as const]),
  )
}
