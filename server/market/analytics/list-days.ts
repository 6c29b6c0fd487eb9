import { addDays, whenDateBegins } from '#core/domain/market/local-moment.ts'
import type { ServerContext } from '../../context.ts'
import type { Period } from './read-period.ts'

const DAY_MS = 86_400_000

/** A date in a time zone, and the moments at which it begins and ends there. */
export interface Day {
  date: string
  begins: Date
  ends: Date
}

/**
 * The days of a period, in order. There may be a year of them, and each takes a time zone calculation, so
 * this is done in slices.
 */
export async function listDays(
  inSlices: ServerContext['inSlices'],
  { zone, from, to, begins, ends }: Period,
): Promise<Day[]> {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  const dates = Array.from({ length: count }, (_, day) => addDays(from, day))
  const beginnings = await Promise.all(
    dates.slice(1).map((date) => inSlices(() => whenDateBegins(zone, date))),
  )
  const moments = [begins, ...beginnings, ends]
  return dates.map((date, day) => ({ date, begins: moments[day] ?? begins, ends: moments[day + 1] ?? ends }))
}
