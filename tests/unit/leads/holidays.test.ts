import { expect, test } from 'vitest'
import { federalHolidays, holidayOn, isFederalHoliday } from '#core/domain/holidays.ts'

test('the federal holidays of 2026 are those that the Office of Personnel Management lists', () => {
  expect(federalHolidays(2026).map(({ observed }) => observed)).toEqual([
    '2026-01-01',
    '2026-01-19',
    '2026-02-16',
    '2026-05-25',
    '2026-06-19',
    '2026-07-03',
    '2026-09-07',
    '2026-10-12',
    '2026-11-11',
    '2026-11-26',
    '2026-12-25',
  ])
})

test('a holiday at a weekend is kept on Friday or Monday, also across the end of a year', () => {
  expect(isFederalHoliday('2026-07-04')).toBe(false)
  expect(isFederalHoliday('2026-07-03')).toBe(true)
  expect(isFederalHoliday('2021-12-31')).toBe(true)
  expect(isFederalHoliday('2022-01-01')).toBe(false)
  expect(isFederalHoliday('2023-01-02')).toBe(true)
  expect(isFederalHoliday('2026-11-27')).toBe(false)
})

test.each([
  [2024, '2024-03-29', '2024-02-13'],
  [2025, '2025-04-18', '2025-03-04'],
  [2026, '2026-04-03', '2026-02-17'],
  [2038, '2038-04-23', '2038-03-09'],
])('Good Friday and Mardi Gras of %d', (year, friday, tuesday) => {
  expect(holidayOn({ name: 'Good Friday', easter: -2 }, year).date).toBe(friday)
  expect(holidayOn({ name: 'Mardi Gras', easter: -47 }, year).date).toBe(tuesday)
})
