import { expect, test } from 'vitest'
import { chooseHours, joinHours } from '#server/operations/admin/overview/choose-hours.ts'

const HOUR = 3_600_000
const NOW = 100 * HOUR + 60_000
const WEEK = { begins: 0, now: NOW }
const hoursUntil = (end: number) => Array.from({ length: end }, (_, hour) => hour * HOUR)
const never = () => Promise.reject(new Error('the past was read'))

test('the current hour and the one before are counted without a look at the past', async () => {
  const known = new Set(hoursUntil(99))
  expect(await chooseHours({ ...WEEK, known }, never)).toEqual({ count: [99 * HOUR, 100 * HOUR], left: 0 })
})

test('without sums, only newest hours with few rows are counted, and the others since the first lead are left', async () => {
  const past = () => Promise.resolve({ first: new Date(10.5 * HOUR), few: new Date(95.2 * HOUR) })
  const { count, left } = await chooseHours({ ...WEEK, known: new Set() }, past)
  expect(count).toEqual([96, 97, 98, 99, 100].map((hour) => hour * HOUR))
  expect(left, 'hours 10 to 95').toBe(86)
})

test('a small market has all of its hours counted', async () => {
  const past = () => Promise.resolve({ first: new Date(50 * HOUR), few: null })
  expect(await chooseHours({ ...WEEK, known: new Set() }, past)).toMatchObject({ left: 0 })
})

test('the current hour is counted, however many rows it has', async () => {
  const past = () => Promise.resolve({ first: new Date(0), few: new Date(NOW - 1000) })
  const { count } = await chooseHours({ ...WEEK, known: new Set(hoursUntil(98)) }, past)
  expect(count).toEqual([99 * HOUR, 100 * HOUR])
})

test('hours that follow each other are one span', () => {
  expect(joinHours([2, 3, 5].map((hour) => hour * HOUR))).toEqual([
    { begins: new Date(2 * HOUR), ends: new Date(4 * HOUR) },
    { begins: new Date(5 * HOUR), ends: new Date(6 * HOUR) },
  ])
})
