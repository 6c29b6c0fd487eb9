import fc from 'fast-check'
import type { Schedule } from '#core/contract/market/schedule.ts'
import { WEEKDAYS } from '#core/domain/market/local-moment.ts'

/** Number of cases of each property. */
export const CASES = { numRuns: 10_000 }

const ZONES = Intl.supportedValuesOf('timeZone')
export const zones = fc.oneof(
  fc.constantFrom('America/New_York', 'America/Los_Angeles', 'America/Phoenix', 'Pacific/Honolulu'),
  fc.constantFrom('Australia/Lord_Howe', 'America/St_Johns', 'Asia/Kathmandu', 'Africa/Casablanca'),
  fc.constantFrom(...ZONES),
)

/** Sunday mornings on which clocks change in America, Europe and Australia, and arbitrary times. */
const CHANGES = ['2026-03-08T07:00Z', '2026-11-01T06:00Z', '2026-03-29T01:00Z', '2026-10-25T01:00Z']
  .concat('2026-04-04T15:00Z', '2026-10-03T15:30Z', '2027-03-14T10:00Z', '2026-11-01T09:00Z')
  .map((text) => Date.parse(text))
export const moments = fc
  .oneof(
    fc.tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -3 * 86_400, max: 3 * 86_400 })),
    fc.tuple(fc.constant(Date.parse('2025-01-01T00:00Z')), fc.integer({ min: 0, max: 3 * 365 * 86_400 })),
  )
  .map(([from, seconds]) => new Date(from + seconds * 1000))

const time = fc
  .integer({ min: 0, max: 95 })
  .chain((quarter) => fc.constantFrom(quarter * 15, quarter * 15 + 7))
  .map((minute) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`)
const windows = fc.array(fc.tuple(time, fc.oneof(time, fc.constant('24:00'))), { maxLength: 3 })
export const schedules: fc.Arbitrary<Schedule> = fc.dictionary(fc.constantFrom(...WEEKDAYS), windows)

const spellers = new Map<string, Intl.DateTimeFormat>()

/** Formats a time as a wall clock in the zone shows it: `2026-03-08 09:30`. */
export function spell(zone: string, at: Date): string {
  let speller = spellers.get(zone)
  if (speller === undefined) {
    speller = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    spellers.set(zone, speller)
  }
  return speller.format(at)
}

/** For each minute of the week, whether it is open. */
export interface PaintedWeek {
  has: (minute: number) => boolean
}

const painted = new WeakMap<Schedule, PaintedWeek>()

/** Slow and obvious: marks every open minute of the week, from Monday's midnight on. */
export function paintWeek(schedule: Schedule): PaintedWeek {
  const before = painted.get(schedule)
  if (before !== undefined) return before
  // A Set of numbers would take two thirds of the time of ten thousand cases.
  const paint = new Uint8Array(7 * 1440)
  const open: PaintedWeek = { has: (minute) => paint[minute] === 1 }
  painted.set(schedule, open)
  const ofTime = (text: string): number => Number(text.split(':')[0]) * 60 + Number(text.split(':')[1])
  for (const [day, name] of WEEKDAYS.entries()) {
    for (const [from, to] of schedule[name] ?? []) {
      const [begin, end] = [ofTime(from), ofTime(to)]
      const length = end > begin ? end - begin : end - begin + 1440
      for (let minute = 0; minute < length; minute += 1) paint[(day * 1440 + begin + minute) % (7 * 1440)] = 1
    }
  }
  return open
}

/** Returns the minute of the week on a wall clock in the zone. */
export function weekMinute(zone: string, at: Date): number {
  const [date = '', clock = ''] = spell(zone, at).split(' ')
  const day = (new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7
  return day * 1440 + Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
}

function pad(part: number): string {
  return String(part).padStart(2, '0')
}
