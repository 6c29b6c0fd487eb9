import { expect, test } from 'vitest'
import { trimDays } from '#web/market/analytics/trim-days.ts'

const days = (...leads: number[]) => leads.map((count) => ({ leads: count }))

test('a chart keeps the days from the first to the last with leads, quiet days between them too', () => {
  expect(trimDays(days(0, 0, 3, 0, 1, 0))).toEqual(days(3, 0, 1))
  expect(trimDays(days(2))).toEqual(days(2))
})

test('without leads all days stay', () => {
  expect(trimDays(days(0, 0))).toEqual(days(0, 0))
})
