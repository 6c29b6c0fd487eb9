import { readTimeZone } from '#core/data/market/dashboard.ts'
import type { Db } from '#core/data/database.ts'
import { addDays, localMoment, whenDateBegins } from '#core/domain/market/local-moment.ts'
import type { Principal } from '../../identity/find-live-session.ts'

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
