import type { QuietHours } from '#core/contract/market/client-account.ts'
import { findOpening, isScheduleOpen } from '../schedule.ts'
import { localMoment, WEEKDAYS } from '../local-moment.ts'

/**
 * The moment at which a chosen mail may be sent: now, or the end of the quiet hours. Null hours mean now.
 * @param zone the account's, IANA's name
 */
export function endOfQuiet(hours: QuietHours | null, zone: string, now: Date): Date {
  if (hours === null) return now
  // The rest of each day is open; a window whose end is not after its beginning lasts into the next day.
  const open = Object.fromEntries(WEEKDAYS.map((day) => [day, [[hours.to, hours.from] as [string, string]]]))
  if (isScheduleOpen(open, localMoment(zone, now))) return now
  return findOpening(open, zone, now) ?? now
}
