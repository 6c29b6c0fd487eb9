import { expect, test } from 'vitest'
import { analyticsQuerySchema } from '#core/contract/market/analytics.ts'
import { deliveriesQuerySchema } from '#core/contract/market/delivery-figures.ts'
import { addDays, whenDateBegins } from '#core/domain/market/local-moment.ts'
import { findPeriodBefore } from '#server/market/analytics/read-period.ts'

const schemas = { analyticsQuerySchema, deliveriesQuerySchema }

test.each(Object.entries(schemas))(
  '%s refuses dates in years of five digits, because their texts do not sort',
  (_name, schema) => {
    const faults = (from: string, to: string) =>
      schema.safeParse({ from, to }).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    expect(faults('9999-12-30', '9999-12-31')).toEqual(['from: Is too far ahead', 'to: Is too far ahead'])
    expect(faults('9998-12-30', '9999-01-01')).toEqual(['to: Is too far ahead'])
    expect(faults('9998-12-30', '9998-12-31')).toBeUndefined()
  },
)

const periodOf = (zone: string, from: string, to: string) => ({
  zone,
  from,
  to,
  begins: whenDateBegins(zone, from),
  ends: whenDateBegins(zone, addDays(to, 1)),
})
const before = (from: string, to: string, now: string) => {
  const found = findPeriodBefore(periodOf('America/New_York', from, to), new Date(now))
  return [found.from, found.to, found.begins.toISOString(), found.ends.toISOString(), found.isCut]
}

test('a period that is over is compared with as many whole days before it', () => {
  expect(before('2026-03-08', '2026-03-14', '2026-04-01T00:00:00Z')).toEqual([
    '2026-03-01',
    '2026-03-07',
    '2026-03-01T05:00:00.000Z',
    '2026-03-08T05:00:00.000Z',
    false,
  ])
})

test('a period that is not over is compared until the same time of the day, across a change of the clocks', () => {
  // It is 9:30 in New York, where the clocks changed on 8 March.
  expect(before('2026-03-05', '2026-03-11', '2026-03-11T13:30:00Z')).toEqual([
    '2026-02-26',
    '2026-03-04',
    '2026-02-26T05:00:00.000Z',
    '2026-03-04T14:30:00.000Z',
    true,
  ])
  // The period has two days left.
  expect(before('2026-03-05', '2026-03-13', '2026-03-11T13:30:00Z').slice(1)).toEqual([
    '2026-03-02',
    '2026-02-24T05:00:00.000Z',
    '2026-03-02T14:30:00.000Z',
    true,
  ])
})

test('a period in the future is compared with whole days', () => {
  expect(before('2026-06-02', '2026-06-02', '2026-03-11T13:30:00Z').slice(0, 2)).toEqual([
    '2026-06-01',
    '2026-06-01',
  ])
})
