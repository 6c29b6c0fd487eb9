import { describe, expect, test } from 'vitest'
import { countDaysToAct, findDeadline } from '#core/domain/leads/revocation-deadline.ts'
import { addBusinessDays, countBusinessDays } from '#core/domain/leads/business-days.ts'

describe('ten business days', () => {
  test.each([
    ['over Thanksgiving', '2026-11-20', '2026-12-07'],
    ['from the day before Thanksgiving', '2026-11-25', '2026-12-10'],
    ['over Christmas on a Saturday, observed on Friday', '2027-12-15', '2027-12-30'],
    ['over New Year’s Day on a Saturday, observed in the year before', '2021-12-20', '2022-01-05'],
    ['over Christmas and New Year’s Day on Sundays, observed on Mondays', '2022-12-21', '2023-01-06'],
    ['over Juneteenth on a Friday', '2026-06-12', '2026-06-29'],
    ['over Juneteenth on a Sunday, observed on Monday', '2022-06-15', '2022-06-30'],
    ['from a Saturday without holidays', '2026-08-01', '2026-08-14'],
  ])('%s', (_what, from, until) => {
    expect(addBusinessDays(from, 10)).toBe(until)
    expect(countBusinessDays(from, until)).toBe(10)
  })
})

test('days that are left count down, and turn negative when it is overdue', () => {
  expect(countBusinessDays('2026-12-04', '2026-12-07')).toBe(1)
  expect(countBusinessDays('2026-12-07', '2026-12-07')).toBe(0)
  expect(countBusinessDays('2026-12-09', '2026-12-07')).toBe(-2)
  expect(countBusinessDays('2026-11-25', '2026-11-29')).toBe(1)
})

test('a deadline ends with the tenth business day in its zone, whatever the hour of the revocation', () => {
  const zone = 'America/New_York'
  // The evening of 25 November there, on which it is the 26th in UTC already.
  const { due_on, due_at } = findDeadline(new Date('2026-11-26T03:30:00Z'), zone)
  expect([due_on, due_at.toISOString()]).toEqual(['2026-12-10', '2026-12-11T05:00:00.000Z'])
  expect(countDaysToAct(due_on, new Date('2026-12-11T04:59:00Z'), zone)).toBe(0)
  expect(countDaysToAct(due_on, new Date('2026-12-11T05:00:00Z'), zone)).toBe(-1)
})
