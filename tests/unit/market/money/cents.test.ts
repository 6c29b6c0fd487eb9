import { expect, test } from 'vitest'
import { formatCents, parseCents, requireCents } from '#core/domain/market/cents.ts'

test.each([
  ['25.00', 2500],
  ['25', 2500],
  [25, 2500],
  [25.5, 2550],
  ['0.1', 10],
  [0.29, 29],
  [1.1, 110],
  ['-12.34', -1234],
  ['-0', 0],
  ['9999999999.99', 999_999_999_999],
  ['9999999999999.99', 999_999_999_999_999],
])('reads %j as %d cents', (amount, cents) => {
  expect(Object.is(parseCents(amount), cents)).toBe(true)
})

test.each([
  '',
  ' 50 ',
  '50\n',
  '+50',
  '--5',
  '1e3',
  '25.001',
  '25.',
  '.5',
  '025',
  '1,000',
  '$25',
  '0x10',
  '२५',
  'NaN',
  '10000000000000',
  25.001,
  0.1 + 0.2,
  1e21,
  1e-7,
  Number.NaN,
  Number.POSITIVE_INFINITY,
])('refuses %j', (amount) => {
  expect(parseCents(amount)).toBeUndefined()
  expect(() => requireCents(amount)).toThrow('Not an amount')
})

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [2500, '25.00'],
  [-1, '-0.01'],
  [-123_456, '-1234.56'],
])('writes %d cents as %s', (cents, text) => {
  expect(formatCents(cents)).toBe(text)
  expect(parseCents(text)).toBe(cents)
})

test('refuses to write a fraction of a cent', () => {
  expect(() => formatCents(0.5)).toThrow('Cents are whole')
})
