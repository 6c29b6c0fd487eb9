import { expect, test } from 'vitest'
import { roundToCents } from '#core/contract/leads/round-to-cents.ts'

test.each([
  [1.005, 1.01],
  [8.575, 8.58],
  [1.255, 1.26],
  [0.285, 0.29],
  [0.005, 0.01],
  [1.115, 1.12],
  [9.995, 10],
  [99.999, 100],
  [1_234_567.125, 1_234_567.13],
  [999_999_999_999.985, 999_999_999_999.99],
  [9_999_999_999.995, 10_000_000_000],
  [-1.005, -1.01],
  [-0.005, -0.01],
])('half a cent is rounded away from zero: %d is %d', (amount, rounded) => {
  expect(roundToCents(amount)).toBe(rounded)
})

test.each([
  [1.0049, 1],
  [1.004_999_999_999, 1],
  [0.0049, 0],
  [-1.0049, -1],
  [1e-7, 0],
  [5.678e-7, 0],
  [-1.234e-7, 0],
  [2.344, 2.34],
])('less than half a cent is dropped: %d is %d', (amount, rounded) => {
  expect(roundToCents(amount)).toBe(rounded)
})

test.each([0, 7, 0.1, 0.07, 15_000.5, 1e20, 1.2345e21, Number.MAX_VALUE])(
  'an amount without fractions of a cent stays: %d',
  (amount) => {
    expect(roundToCents(amount)).toBe(amount)
  },
)

test('every amount of thousandths is rounded by its own digits', () => {
  for (let thousandths = 0; thousandths < 20_000; thousandths += 1) {
    const digits = String(thousandths).padStart(4, '0')
    const amount = Number(`${digits.slice(0, -3)}.${digits.slice(-3)}`)
    const cents = Math.floor((thousandths + 5) / 10)
    expect(roundToCents(amount)).toBe(cents / 100)
  }
})

test.each([
  ['1.0049999999999999999999', 1],
  ['1.005', 1.01],
  ['7.10', 7.1],
  ['5e-3', 0.01],
  ['4.9E-3', 0],
  ['1.5e2', 150],
  ['99999999.9949999999999999999', 99_999_999.99],
])('the written digits count, not the nearest double: %s is %d', (written, rounded) => {
  expect(roundToCents(written)).toBe(rounded)
})
