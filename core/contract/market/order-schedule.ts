import { z } from 'zod'
import { isZoneName } from './time-zone.ts'
import { weekdaySchema, windowsSchema, type Schedule } from './schedule.ts'

/** docs/product.md §9: windows a day. */
export const MOST_WINDOWS = 4

const WEEKDAYS = weekdaySchema.options
const DAY = 1440
const WEEK = 7 * DAY

/** A schedule as clients may set it: at least one window, few a day, and no two that overlap, also past midnight. */
export const orderScheduleSchema = z
  .partialRecord(weekdaySchema, windowsSchema.max(MOST_WINDOWS, `At most ${MOST_WINDOWS} windows a day`))
  .superRefine((schedule, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    if (WEEKDAYS.every((day) => (schedule[day] ?? []).length === 0))
      refuse([], 'Choose at least one window, or no schedule for always')
    for (const { day, index } of findOverlaps(schedule)) refuse([day, index], 'Overlaps with another window')
  })
  .transform(sortWindows)

/** Normalises a schedule: in the order of the week, without days that have no windows. */
function sortWindows(schedule: Schedule): Schedule {
  return Object.fromEntries(
    WEEKDAYS.flatMap((day) => {
      const windows = (schedule[day] ?? []).toSorted(([a], [b]) => a.localeCompare(b))
      return windows.length === 0 ? [] : [[day, windows]]
    }),
  )
}

/** Finds windows that begin while another is open, in the order of the week; Sunday's may last into Monday. */
function findOverlaps(schedule: Schedule) {
  const windows = WEEKDAYS.flatMap((day, number) =>
    (schedule[day] ?? []).map(([begin, end], index) => {
      const from = minuteOf(begin)
      const to = minuteOf(end)
      return { day, index, from: from + number * DAY, lasts: to > from ? to - from : to + DAY - from }
    }),
  )
  return windows.filter((one) =>
    windows.some((other) => {
      const after = (one.from - other.from + WEEK) % WEEK
      return (
        other !== one && after < other.lasts && (after > 0 || windows.indexOf(other) < windows.indexOf(one))
      )
    }),
  )
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/** A zone by its IANA name; offsets and other abbreviations are refused. */
export const timeZoneSchema = z
  .string({ error: 'Time zone is required' })
  .trim()
  .max(64, 'No such time zone')
  .refine(isTimeZone, 'No such time zone')

function isTimeZone(name: string): boolean {
  if (!isZoneName(name)) return false
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
