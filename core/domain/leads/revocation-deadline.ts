import { addDays, localMoment, whenDateBegins } from '../market/local-moment.ts'
import { addBusinessDays, countBusinessDays, REVOCATION_DAYS } from './business-days.ts'

/** The day until which holders have to act, and the moment at which it has ended. */
export interface RevocationDeadline {
  /** `YYYY-MM-DD` */
  due_on: string
  due_at: Date
}

/** The deadline of a revocation: the end of the tenth business day after it, in this zone. */
export function findDeadline(revokedAt: Date, zone: string): RevocationDeadline {
  const due_on = addBusinessDays(localMoment(zone, revokedAt).date, REVOCATION_DAYS)
  return { due_on, due_at: whenDateBegins(zone, addDays(due_on, 1)) }
}

/** Business days that are left after today; 0 on the last one, negative after it. */
export function countDaysToAct(dueOn: string, now: Date, zone: string): number {
  return countBusinessDays(localMoment(zone, now).date, dueOn)
}
