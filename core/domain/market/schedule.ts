import type { Schedule } from '#core/contract/market/schedule.ts'
import { localMoment, QUARTER_MS, WEEKDAYS, type LocalMoment } from './local-moment.ts'

const DAY_MINUTES = 1440
/** A week, and the day by which a change of the clocks may move it. */
const LOOK_AHEAD_MS = 8 * 86_400_000

/** Whether the wall clock shows a time at which the schedule is open; null is always. */
export function isScheduleOpen(
  schedule: Schedule | null,
  { weekday, minute }: Pick<LocalMoment, 'weekday' | 'minute'>,
): boolean {
  if (schedule === null) return true
  const yesterday = WEEKDAYS[(WEEKDAYS.indexOf(weekday) + 6) % 7] ?? 'sun'
  return (
    windowsOf(schedule, weekday).some(({ from, to }) => from <= minute && minute < to) ||
    windowsOf(schedule, yesterday).some(
      ({ from, to }) => from <= minute + DAY_MINUTES && minute + DAY_MINUTES < to,
    )
  )
}

/**
 * The first whole minute from this moment on at which it is open; undefined where there is none within `withinMs` (a little more than a week,
 * unless told).
 */
export function findOpening(
  schedule: Schedule | null,
  zone: string,
  from: Date,
  withinMs: number = LOOK_AHEAD_MS,
): Date | undefined {
  const begin = Math.ceil(from.getTime() / 60_000) * 60_000
  const end = from.getTime() + withinMs
  for (let time = begin; time <= end;) {
    const moment = localMoment(zone, new Date(time))
    // Within a quarter of an hour of UTC no clock leaps and no day ends.
    const next = (Math.floor(time / QUARTER_MS) + 1) * QUARTER_MS
    for (let later = 0; time < next && time <= end; time += 60_000, later += 1) {
      if (isScheduleOpen(schedule, { weekday: moment.weekday, minute: moment.minute + later }))
        return new Date(time)
    }
  }
  return undefined
}

/** Minutes since the midnight on which its day began; past the next one where it lasts into the next day. */
function windowsOf(schedule: Schedule, weekday: LocalMoment['weekday']): { from: number; to: number }[] {
  return (schedule[weekday] ?? []).map(([begin, end]) => {
    const from = minuteOf(begin)
    const to = minuteOf(end)
    return { from, to: to > from ? to : to + DAY_MINUTES }
  })
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}
