import type { Schedule } from '#core/contract/market/schedule.ts'
import { addDays, localMoment, QUARTER_MS, WEEKDAYS, type LocalMoment } from './local-moment.ts'

const DAY_MINUTES = 1440
const WEEK_MINUTES = 7 * DAY_MINUTES
const DAY_MS = 86_400_000
/** A week, and one day more because a change of the clocks may move it. */
const LOOK_AHEAD_MS = 8 * DAY_MS

/** Whether the schedule is open at a time of the wall clock; null means always. */
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
 * The first whole minute from this moment on at which it is open; undefined if there is none within `withinMs`
 * (slightly more than a week by default).
 */
export function findOpening(
  schedule: Schedule | null,
  zone: string,
  from: Date,
  withinMs: number = LOOK_AHEAD_MS,
): Date | undefined {
  const begin = Math.ceil(from.getTime() / 60_000) * 60_000
  const end = from.getTime() + withinMs
  if (schedule === null) return begin <= end ? new Date(begin) : undefined
  for (let time = begin; time <= end;) {
    const moment = localMoment(zone, new Date(time))
    if (isDayEven(moment, localMoment(zone, new Date(time + DAY_MS)))) {
      const opening = time + minutesUntilOpen(schedule, moment) * 60_000
      if (opening < time + DAY_MS) return opening <= end ? new Date(opening) : undefined
      time += DAY_MS
      continue
    }
    // Within a quarter of an hour of UTC no clock changes and no day ends.
    const next = (Math.floor(time / QUARTER_MS) + 1) * QUARTER_MS
    for (let later = 0; time < next && time <= end; time += 60_000, later += 1) {
      if (isScheduleOpen(schedule, { weekday: moment.weekday, minute: moment.minute + later }))
        return new Date(time)
    }
  }
  return undefined
}

/** Whether the clock shows the same time on the next day, so that it was not changed in between. */
function isDayEven(here: LocalMoment, dayLater: LocalMoment): boolean {
  return here.minute === dayLater.minute && addDays(here.date, 1) === dayLater.date
}

/** Minutes by a clock that is not changed; infinite if no day has a window. */
function minutesUntilOpen(schedule: Schedule, { weekday, minute }: LocalMoment): number {
  const now = WEEKDAYS.indexOf(weekday) * DAY_MINUTES + minute
  const waits = WEEKDAYS.flatMap((day, index) =>
    windowsOf(schedule, day).map(({ from, to }) => {
      const begun = (now - index * DAY_MINUTES - from + 2 * WEEK_MINUTES) % WEEK_MINUTES
      return begun < to - from ? 0 : WEEK_MINUTES - begun
    }),
  )
  return Math.min(...waits)
}

/** Minutes since the midnight on which its day began; past the next midnight if it lasts into the next day. */
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
