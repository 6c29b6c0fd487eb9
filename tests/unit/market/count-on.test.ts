import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addToTally,
  countingMoment,
  countOn,
  EMPTY_TALLY,
  readTally,
  whenCountBegins,
  type Counting,
  type Tally,
} from '#core/domain/market/tally.ts'
import { localMoment } from '#core/domain/market/local-moment.ts'

const HOUR = 3_600_000
/** Noon in New York. */
const NOON = new Date('2026-11-27T17:00:00Z')
const after = (hours: number): Date => new Date(NOON.getTime() + hours * HOUR)
const begin = (timezone: string): Counting => ({ timezone, counts_in: null, counts_in_until: null })
const move = (order: Counting, timezone: string, at: Date): Counting => ({
  ...order,
  ...countOn(order, timezone, at),
  timezone,
})
const leadsAt = (order: Counting, tally: Tally, at: Date) =>
  readTally(tally, countingMoment(order, at)).day_leads
const ofNewYork = (leads: number, at = NOON): Tally => {
  let tally = EMPTY_TALLY
  for (let lead = 0; lead < leads; lead += 1)
    tally = addToTally(tally, 2500, localMoment('America/New_York', at))
  return tally
}

test.each([
  ['where it is tomorrow already', 'Asia/Tokyo', 12],
  ['where midnight is an hour away', 'Asia/Omsk', 12],
  ['an hour to the east', 'America/Halifax', 12],
  // The day is the same, but ends at that zone's midnight.
  ['to the west', 'Pacific/Honolulu', 17],
])('after a change of zone, %s, today’s leads count until the old day is over', (_where, zone, hours) => {
  const order = move(begin('America/New_York'), zone, NOON)
  const tally = ofNewYork(10)
  for (const hour of [0, 1, 3, hours - 0.1])
    expect([hour, leadsAt(order, tally, after(hour))]).toEqual([hour, 10])
  expect(leadsAt(order, tally, after(hours))).toBe(0)
  const next = localMoment(zone, after(hours)).date
  expect(whenCountBegins(order, next, NOON)).toEqual(after(hours))
})

test('a week and a month continue beyond that day, and nothing is counted twice', () => {
  const order = move(begin('America/New_York'), 'Asia/Tokyo', NOON)
  const tally = readTally(ofNewYork(10), countingMoment(order, after(13)))
  expect(tally).toMatchObject({ day_leads: 0, week_leads: 10, month_leads: 10, total_leads: 10 })
})

test('the daily cap holds however often the zone changes within a day', () => {
  const zones = fc.constantFrom(
    'Asia/Tokyo',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'UTC',
    'Asia/Omsk',
    'America/Denver',
  )
  const steps = fc.array(fc.tuple(zones, fc.integer({ min: 0, max: 180 })), { maxLength: 20 })
  fc.assert(
    fc.property(steps, (changes) => {
      let order = begin('America/New_York')
      let tally = EMPTY_TALLY
      let received = 0
      // Starts at midnight in New York.
      let minutes = -12 * 60
      for (const [zone, later] of changes) {
        minutes += later
        if (minutes >= 12 * 60) break
        const at = after(minutes / 60)
        for (let tries = 0; tries < 3; tries += 1) {
          if (leadsAt(order, tally, at) >= 2) continue
          tally = addToTally(tally, 2500, countingMoment(order, at))
          received += 1
        }
        order = move(order, zone, at)
      }
      expect(received).toBeLessThanOrEqual(2)
    }),
  )
})
