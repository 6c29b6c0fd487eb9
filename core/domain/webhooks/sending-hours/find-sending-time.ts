import type { SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import { localMoment } from '../../market/local-moment.ts'
import { findOpening, isScheduleOpen } from '../../market/schedule.ts'

const MINUTE_MS = 60_000
/** More than two weeks: if a change of the clocks skips a day's only window, the next one is a week later. */
const LOOK_AHEAD_MS = 16 * 86_400_000
/** Limit of turns between the schedule and the calling hours: after each, the time is a later day's. */
const MOST_TURNS = 32

/** When one person may be called (core/domain/leads/calling/calling-window.ts). */
export interface CallClock {
  isCallable: (at: Date) => boolean
  /** the moment itself, or the next at which calls are allowed */
  findCallableTime: (at: Date) => Date
}

/**
 * Whether something may be sent at this moment; null means always.
 * @param calls when the lead's person may be called, for hours that follow it; null: by the schedule alone
 */
export function isSendingTime(hours: SendingHours | null, calls: CallClock | null, at: Date): boolean {
  if (hours === null) return true
  return (
    isScheduleOpen(hours.schedule, localMoment(hours.timezone, at)) &&
    (hours.when_callable !== true || calls === null || calls.isCallable(at))
  )
}

/** The moment itself if something may be sent then, otherwise the next opening, a whole minute. */
export function findSendingTime(hours: SendingHours | null, calls: CallClock | null, from: Date): Date {
  if (hours === null) return from
  let time = from
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    if (isSendingTime(hours, calls, time)) return time
    const opening = findScheduled(hours, time)
    time = hours.when_callable === true && calls !== null ? calls.findCallableTime(opening) : opening
  }
  // A schedule that never meets the calling hours is asked again then.
  return time
}

function findScheduled({ schedule, timezone }: SendingHours, from: Date): Date {
  if (isScheduleOpen(schedule, localMoment(timezone, from))) return from
  return findOpening(schedule, timezone, from, LOOK_AHEAD_MS) ?? new Date(from.getTime() + LOOK_AHEAD_MS)
}

/**
 * Whether a delivery that is planned for this moment waits for the hours: it is the minute in which they begin. Calling
 * hours begin at a whole minute, and a retry almost never does.
 */
export function isOpening(hours: SendingHours | null, at: Date): boolean {
  if (hours === null) return false
  if (hours.when_callable === true && at.getTime() % MINUTE_MS === 0) return true
  return isScheduledThen(hours, at) && !isScheduledThen(hours, new Date(at.getTime() - MINUTE_MS))
}

function isScheduledThen({ schedule, timezone }: SendingHours, at: Date): boolean {
  return isScheduleOpen(schedule, localMoment(timezone, at))
}
