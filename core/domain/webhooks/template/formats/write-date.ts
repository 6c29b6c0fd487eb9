import { openWallClock, type WallTime } from '../../../wall-clock.ts'

/** A moment, or a day without a time. */
export interface ReadTime {
  at: Date
  isDay: boolean
}

/** One step of a date's form: a part written by its letters in the pattern, or text. */
export type DateStep = { part: DatePart } | { text: string }
export type DatePart = keyof typeof PARTS

interface WallClock extends WallTime {
  weekday: number
  ms: number
  /** minutes east of UTC */
  offsetMinutes: number
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const two = (number: number): string => String(number).padStart(2, '0')
const hour12 = ({ hour }: WallClock): number => hour % 12 || 12

const PARTS = {
  YYYY: ({ year }: WallClock) => String(year).padStart(4, '0'),
  YY: ({ year }: WallClock) => two(year % 100),
  MMMM: ({ month }: WallClock) => MONTHS[month - 1] ?? '',
  MMM: ({ month }: WallClock) => (MONTHS[month - 1] ?? '').slice(0, 3),
  MM: ({ month }: WallClock) => two(month),
  M: ({ month }: WallClock) => String(month),
  DD: ({ day }: WallClock) => two(day),
  D: ({ day }: WallClock) => String(day),
  dddd: ({ weekday }: WallClock) => DAYS[weekday] ?? '',
  ddd: ({ weekday }: WallClock) => (DAYS[weekday] ?? '').slice(0, 3),
  HH: ({ hour }: WallClock) => two(hour),
  H: ({ hour }: WallClock) => String(hour),
  hh: (clock: WallClock) => two(hour12(clock)),
  h: (clock: WallClock) => String(hour12(clock)),
  mm: ({ minute }: WallClock) => two(minute),
  ss: ({ second }: WallClock) => two(second),
  SSS: ({ ms }: WallClock) => String(ms).padStart(3, '0'),
  A: ({ hour }: WallClock) => (hour < 12 ? 'AM' : 'PM'),
  a: ({ hour }: WallClock) => (hour < 12 ? 'am' : 'pm'),
  Z: ({ offsetMinutes: offset }: WallClock) =>
    `${offset < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`,
}
export const DATE_PARTS: readonly string[] = Object.keys(PARTS)
/** The parts that a day without a time does not have. */
export const CLOCK_PARTS: readonly string[] = ['HH', 'H', 'hh', 'h', 'mm', 'ss', 'SSS', 'A', 'a', 'Z']

export function isDatePart(text: string): text is DatePart {
  return Object.hasOwn(PARTS, text)
}

/** A day without a time is the same in every zone. */
export function writeDate(steps: readonly DateStep[], { at, isDay }: ReadTime, zone: string): string {
  const clock = isDay ? readClock('UTC', at) : readClock(zone, at)
  return steps.map((step) => ('text' in step ? step.text : PARTS[step.part](clock))).join('')
}

/** Cache of clocks, one for each zone. */
const clocks = new Map<string, (at: Date) => WallTime>()

function readClock(zone: string, at: Date): WallClock {
  const look = clocks.get(zone) ?? openWallClock(zone)
  clocks.set(zone, look)
  const ms = at.getUTCMilliseconds()
  const shown = { ...look(at), ms }
  // Date.UTC treats years below 100 differently; values begin in 1900 (core/domain/leads/normalise-date.ts).
  const local = Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute, shown.second, ms)
  const offsetMinutes = Math.round((local - at.getTime()) / 60_000)
  return { ...shown, weekday: new Date(local).getUTCDay(), offsetMinutes }
}
