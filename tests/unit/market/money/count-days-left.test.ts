import { expect, test } from 'vitest'
import type { Schedule } from '#core/contract/market/schedule.ts'
import { countDaysLeft, type Hours } from '#core/domain/market/count-days-left.ts'

/** A Wednesday, 12:00 in New York. */
const NOON = new Date('2026-12-02T17:00:00Z')
const NIGHT = new Date('2026-12-03T02:00:00Z')
/** A Friday, 17:00 in New York. */
const FRIDAY = new Date('2026-12-04T22:00:00Z')

const days = (...names: (keyof Schedule)[]): Schedule =>
  Object.fromEntries(names.map((day) => [day, [['09:00', '18:00']]]))
const WORKWEEK: Hours = { timezone: 'America/New_York', schedule: days('mon', 'tue', 'wed', 'thu', 'fri') }
const ALWAYS: Hours = { timezone: 'UTC', schedule: null }

test.each([
  [10_000, 0, 0, null],
  [10_000, 7000, 7, 10],
  // Bought this morning: the pace is that of a day, not of a minute.
  [10_000, 5000, 0.01, 2],
  [0, 5000, 7, 0],
  [-1, 5000, 7, 0],
  [9999, 10_000, 1, 0],
])('around the clock, %d left after %d spent in %d days lasts %s', (balance, spent, past, left) => {
  for (const hours of [[], [ALWAYS]])
    expect(countDaysLeft({ balance, spent, days: past, hours }, NOON)).toBe(left)
})

test.each([
  // Nine hours a day: 45 open hours were paid with 450, so 90 lasts the nine hours until Thursday noon.
  ['a day of the work week', 9000, 45_000, 7, NOON, 1],
  // The last hour of Friday and all of Monday are paid: it lasts over the weekend.
  ['over the weekend', 10_000, 45_000, 7, FRIDAY, 3],
  ['a whole week', 45_000, 45_000, 7, NOON, 7],
  // Bought since this morning: the pace is that of a day of nine hours.
  ['from this morning', 30_000, 10_000, 3 / 24, NOON, 5],
  // Thursday is paid, so the first lead that cannot be paid would come on Friday morning.
  ['at night', 9000, 45_000, 7, NIGHT, 1],
])('in the hours of a work week: %s', (_name, balance, spent, past, now, left) => {
  expect(countDaysLeft({ balance, spent, days: past, hours: [WORKWEEK, WORKWEEK] }, now)).toBe(left)
})

test('hours of several orders count together, each by its own clock', () => {
  const west: Hours = { timezone: 'America/Los_Angeles', schedule: WORKWEEK.schedule }
  const spending = { balance: 12_000, spent: 60_000, days: 7 }
  // Twelve hours a day, from nine in New York to six in Los Angeles.
  expect(countDaysLeft({ ...spending, hours: [WORKWEEK, west] }, NOON)).toBe(1)
  expect(countDaysLeft({ ...spending, hours: [WORKWEEK, ALWAYS] }, NOON)).toBe(1)
  expect(countDaysLeft({ ...spending, spent: 20_000, hours: [ALWAYS, west] }, NOON)).toBe(4)
})
