import { readTimeZone } from '#core/data/market/dashboard.ts'
import type { Db } from '#core/data/database.ts'
import { addDays, localMoment, whenDateBegins } from '#core/domain/market/local-moment.ts'
import type { Principal } from '../../identity/find-live-session.ts'

const DAY_MS = 86_400_000

/** Whole days in the account's time zone, and the moments at which the first begins and the last ends. */
export interface Period {
  zone: string
  from: string
  to: string
  begins: Date
  ends: Date
}

/** If no dates are given: the last `days` days, including today. */
export async function readPeriod(
  db: Db,
  caller: Pick<Principal, 'user_id'>,
  asked: { days: number; from: string | undefined; to: string | undefined },
): Promise<Period> {
  const zone = await readTimeZone(db, caller.user_id)
  const to = asked.to ?? localMoment(zone, new Date()).date
  const from = asked.from ?? addDays(to, 1 - asked.days)
  return { zone, from, to, begins: whenDateBegins(zone, from), ends: whenDateBegins(zone, addDays(to, 1)) }
}

/**
 * The same number of days directly before a period. While the period is not over, they end at this time of the day, so that both
 * are equally long. Then their last day is cut.
 */
export function findPeriodBefore(period: Period, now: Date): Period & { isCut: boolean } {
  const { zone, from, to, begins, ends } = period
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  const first = addDays(from, -days)
  const before = { zone, from: first, to: addDays(from, -1), begins: whenDateBegins(zone, first) }
  if (now >= ends || now < begins) return { ...before, ends: begins, isCut: false }
  const today = localMoment(zone, now).date
  const same = addDays(today, -days)
  const elapsed = now.getTime() - whenDateBegins(zone, today).getTime()
  const cut = Math.min(
    whenDateBegins(zone, same).getTime() + elapsed,
    whenDateBegins(zone, addDays(same, 1)).getTime(),
  )
  return { ...before, to: same, ends: new Date(cut), isCut: true }
}
