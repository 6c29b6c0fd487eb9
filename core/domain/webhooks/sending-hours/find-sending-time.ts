import type { SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import { localMoment } from '../../market/local-moment.ts'
import { findOpening, isScheduleOpen } from '../../market/schedule.ts'

const MINUTE_MS = 60_000
/** More than two weeks: if a change of the clocks skips a day's only window, the next one is a week later. */
const LOOK_AHEAD_MS = 16 * 86_400_000

/** Whether something may be sent at this moment; null means always. */
export function isSendingTime(hours: SendingHours | null, at: Date): boolean {
  return hours === null || isScheduleOpen(hours.schedule, localMoment(hours.timezone, at))
}

/** The moment itself if something may be sent then, otherwise the next opening, a whole minute. */
export function findSendingTime(hours: SendingHours | null, from: Date): Date {
  if (hours === null || isSendingTime(hours, from)) return from
  return (
    findOpening(hours.schedule, hours.timezone, from, LOOK_AHEAD_MS) ??
    new Date(from.getTime() + LOOK_AHEAD_MS)
  )
}

/** Whether a delivery that is planned for this moment waits for the hours: it is the minute in which they begin. */
export function isOpening(hours: SendingHours | null, at: Date): boolean {
  return (
    hours !== null && isSendingTime(hours, at) && !isSendingTime(hours, new Date(at.getTime() - MINUTE_MS))
  )
}
