import { expect, test } from 'vitest'
import { findNextChance } from '#core/domain/market/orders/find-next-chance.ts'
import type { OrderToJudge } from '#core/domain/market/orders/judge-order.ts'
import { PLAIN } from './plain-order.ts'

const MINUTES = 60_000

test('the next chance is the first opening, start or midnight in the order’s zone within the limit', () => {
  // 23:57:30 on a Sunday in New York, the day on which the clocks went forward.
  const at = new Date('2026-03-09T03:57:30Z')
  const find = (...orders: Partial<OrderToJudge>[]): string | undefined =>
    findNextChance(
      orders.map((order) => ({ ...PLAIN, ...order })),
      at,
      5 * MINUTES,
    )?.toISOString()

  expect(find({})).toBeUndefined()
  expect(find({ daily_cap: 1 })).toBe('2026-03-09T04:00:00.000Z')
  expect(find({ monthly_budget: 1, timezone: 'America/Chicago' })).toBeUndefined()
  expect(find({ schedule: { mon: [['00:01', '09:00']] } })).toBe('2026-03-09T04:01:00.000Z')
  expect(find({ schedule: { mon: [['00:03', '09:00']] } })).toBeUndefined()
  expect(find({ starts_at: new Date('2026-03-09T03:58:00Z') }, { daily_cap: 1 })).toBe(
    '2026-03-09T03:58:00.000Z',
  )
  expect(find({ daily_cap: 1, paused_by: 'client' })).toBeUndefined()
})
