import type { Weekday } from '#core/contract/market/schedule.ts'
import { openWallClock, type WallTime } from '../wall-clock.ts'

/** Clock and calendar in a time zone. Dates are `YYYY-MM-DD`. */
export interface LocalMoment {
  date: string
  weekday: Weekday
  /** minutes since midnight by the wall clock, 0 to 1439 */
  minute: number
  /** the Monday of its week */
  monday: string
  firstOfMonth: string
}

/** A week begins on Monday. */
export const WEEKDAYS: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const DAY_MS = 86_400_000
/** The offsets of all zones, and the moments at which they change, are whole quarters of an hour. */
export const QUARTER_MS = 900_000
/** No zone is further from UTC than this. */
const FURTHEST_MS = 15 * 3_600_000
/** More than there are zones. */
const MOST_KEPT = 1000

interface Clock {
  look: (at: Date) => WallTime
  last: { minute: number; moment: LocalMoment } | undefined
}

/** Many orders of one zone ask for one moment, so clocks are cached. */
const clocks = new Map<string, Clock>()

/** @param zone IANA's name; an unknown one is taken for UTC */
export function localMoment(zone: string, at: Date): LocalMoment {
  const clock = clocks.get(zone) ?? openClock(zone)
  const minute = Math.floor(at.getTime() / 60_000)
  if (clock.last?.minute !== minute) clock.last = { minute, moment: read(clock.look(at)) }
  return clock.last.moment
}

/** The first moment of this date there; it is not midnight if the clocks skip midnight. */
export function whenDateBegins(zone: string, date: string): Date {
  const middle = Date.parse(`${date}T00:00:00Z`)
  // A binary search: at `earlier` the zone has an earlier date, at `since` it has this date or a later one.
  let earlier = middle - FURTHEST_MS
  let since = middle + FURTHEST_MS
  while (since - earlier > QUARTER_MS) {
    const between = earlier + Math.floor((since - earlier) / 2 / QUARTER_MS) * QUARTER_MS
    if (localMoment(zone, new Date(between)).date >= date) since = between
    else earlier = between
  }
  return new Date(since)
}

/** The date `days` later. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The first of the month after the one of this date. */
export function nextMonth(date: string): string {
  return `${addDays(`${date.slice(0, 7)}-01`, 31).slice(0, 7)}-01`
}

function read({ year, month, day, hour, minute }: WallTime): LocalMoment {
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  // Monday is 0.
  const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7
  return {
    date,
    weekday: WEEKDAYS[weekday] ?? 'mon',
    minute: hour * 60 + minute,
    monday: addDays(date, -weekday),
    firstOfMonth: `${date.slice(0, 7)}-01`,
  }
}

function openClock(zone: string): Clock {
  const clock = { look: openLook(zone), last: undefined }
  if (clocks.size >= MOST_KEPT) clocks.clear()
  clocks.set(zone, clock)
  return clock
}

function openLook(zone: string): (at: Date) => WallTime {
  try {
    return openWallClock(zone)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return openWallClock('UTC')
  }
}

function two(part: number): string {
  return String(part).padStart(2, '0')
}
