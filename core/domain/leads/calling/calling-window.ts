import { addDays, localMoment, WEEKDAYS, type LocalMoment } from '../../market/local-moment.ts'
import { writeDate, type DateStep } from '../../webhooks/template/formats/write-date.ts'
import type { CallClock } from '../../webhooks/sending-hours/find-sending-time.ts'
import { zonesOf, type Whereabouts } from '../call-zones.ts'
import { ruleOf, type CallRule, type DayHours } from './call-rules.ts'
import { holidayName } from './state-holidays.ts'

/** The hours in which a person may be called: the present ones, or the next. */
export interface CallingWindow {
  isOpen: boolean
  from: Date
  until: Date
  /** the likeliest zone of the person */
  zone: string
}

/** The values of `{{callable_from}}`, `{{callable_until}}` and `{{local_time}}`: ISO 8601 with the person's offset. */
export interface CallTimes {
  callable_from: string | null
  callable_until: string | null
  local_time: string | null
}

const MINUTE_MS = 60_000
/** No state closes as many days in a row. */
const MOST_DAYS = 12

/**
 * The window of a person, by the rule of the state. In a state with several zones, unless ZIP code or area code decides,
 * only the hours count that are open in all of them.
 * @returns undefined if the person's place is unknown
 */
export function findCallingWindow(where: Whereabouts, at: Date): CallingWindow | undefined {
  const zones = zonesOf(where)
  const [zone] = zones
  if (zone === undefined) return undefined
  const rule = ruleOf(where.state)
  const today = localMoment(zone, at).date
  // The date may differ between the zones of a state.
  for (let day = -1; day <= MOST_DAYS; day += 1) {
    const date = addDays(today, day)
    const hours = hoursOn(rule, date)
    if (hours === null) continue
    const from = Math.max(...zones.map((one) => whenClockShows(one, date, hours[0] * 60)))
    const until = Math.min(...zones.map((one) => whenClockShows(one, date, hours[1] * 60)))
    if (until > Math.max(at.getTime(), from))
      return { isOpen: from <= at.getTime(), from: new Date(from), until: new Date(until), zone }
  }
  return undefined
}

/** This moment if the person may be called now, or the place is unknown; otherwise the next opening, a whole minute. */
export function findCallableTime(where: Whereabouts, at: Date): Date {
  const window = isCallable(where, at) ? undefined : findCallingWindow(where, at)
  return window === undefined || window.isOpen ? at : window.from
}

/** Whether the person may be called at this moment, in every zone in which they may be; true if none is known. */
export function isCallable(where: Whereabouts, at: Date): boolean {
  const rule = ruleOf(where.state)
  return zonesOf(where).every((zone) => isOpenThere(rule, localMoment(zone, at)))
}

export function isOpenThere(rule: CallRule, { date, minute }: LocalMoment): boolean {
  const hours = hoursOn(rule, date)
  return hours !== null && hours[0] * 60 <= minute && minute < hours[1] * 60
}

/** The hours of one date (`YYYY-MM-DD`); null on a day without calls. */
export function hoursOn(rule: CallRule, date: string): DayHours {
  const weekday = WEEKDAYS[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7]
  const hours = weekday === 'sun' ? rule.sunday : weekday === 'sat' ? rule.saturday : rule.weekdays
  const isClosed = rule.closed !== undefined && holidayName(date, rule.closed) !== undefined
  return isClosed ? null : hours
}

const ISO: readonly DateStep[] = [
  { part: 'YYYY' },
  { text: '-' },
  { part: 'MM' },
  { text: '-' },
  { part: 'DD' },
  { text: 'T' },
  { part: 'HH' },
  { text: ':' },
  { part: 'mm' },
  { text: ':' },
  { part: 'ss' },
  { part: 'Z' },
]

/** The fields of a payload about calling: the present window or the next, and the time at the person's place. */
export function writeCallTimes(where: Whereabouts, at: Date): CallTimes {
  const window = findCallingWindow(where, at)
  if (window === undefined) return { callable_from: null, callable_until: null, local_time: null }
  const write = (moment: Date) => writeDate(ISO, { at: moment, isDay: false }, window.zone)
  return {
    callable_from: write(window.from),
    callable_until: write(window.until),
    local_time: write(at),
  }
}

/** The moment at which the clock shows this minute of the date. Calls begin and end when no clock is changed. */
function whenClockShows(zone: string, date: string, minute: number): number {
  const wanted = Date.parse(`${date}T00:00:00Z`) + minute * MINUTE_MS
  const first = wanted - offsetAt(zone, wanted)
  return wanted - offsetAt(zone, first)
}

/** Milliseconds that the zone's clock is ahead of UTC. */
function offsetAt(zone: string, time: number): number {
  const { date, minute } = localMoment(zone, new Date(time))
  return Date.parse(`${date}T00:00:00Z`) + minute * MINUTE_MS - time
}

/** The calling hours of one person, for hours that follow them (core/domain/webhooks/sending-hours). */
export function openCallClock(where: Whereabouts): CallClock {
  return {
    isCallable: (at) => isCallable(where, at),
    findCallableTime: (at) => findCallableTime(where, at),
  }
}
