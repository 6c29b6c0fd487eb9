import { expect, test } from 'vitest'
import { figureOut, shareOf, type MarketSum } from '#core/domain/market/figures.ts'
import { countMissing, judgeFill } from '#core/domain/market/fill-rate.ts'
import { EMPTY_TALLY } from '#core/domain/market/tally.ts'
import { judgeDeliveryHealth } from '#core/domain/webhooks/delivery-health.ts'

const NOTHING: MarketSum = {
  source_id: null,
  came: null,
  leads_in: 0,
  duplicates: 0,
  cost: '0.00',
  sold: 0,
  first_sold: 0,
  sales: '0.00',
  returned: 0,
  credits: '0.00',
}

test('a sale of a lead from before the span is revenue, and leaves the leads of the span unsold', () => {
  const sums = [
    { ...NOTHING, leads_in: 3, cost: '12.30' },
    { ...NOTHING, came: 500, sold: 1, first_sold: 1, sales: '25.00' },
    { ...NOTHING, came: 1000, sold: 2, first_sold: 1, sales: '50.10' },
    { ...NOTHING, returned: 1, credits: '25.00' },
  ]
  expect(figureOut(sums, 1000)).toEqual({
    leads_in: 3,
    sold: 3,
    unsold: 2,
    returned: 1,
    duplicates: 0,
    revenue: '50.10',
    cost: '12.30',
    margin: '37.80',
  })
  expect([shareOf(1, 4), shareOf(0, 0)]).toEqual([0.25, null])
})

test('a fill rate counts by the order’s own day and month', () => {
  const order = {
    order_id: 'o',
    order_name: 'Texas',
    client_id: 'c',
    client_name: 'Agency',
    daily_cap: 10,
    weekly_cap: null,
    monthly_cap: 100,
    total_cap: null,
    timezone: 'America/Chicago',
    counts_in: null,
    counts_in_until: null,
    tally: {
      ...EMPTY_TALLY,
      day: '2026-03-10',
      day_leads: 4,
      month: '2026-03-01',
      month_leads: 95,
      total_leads: 400,
    },
  }
  const fills = judgeFill(order, new Date('2026-03-11T04:59:00Z'))
  expect(fills.map(({ per, leads, fill_rate }) => [per, leads, fill_rate])).toEqual([
    ['day', 4, 0.4],
    ['month', 95, 0.95],
  ])
  expect(countMissing(fills)).toBe(5)
  // A minute later it is the next day in Chicago.
  expect(judgeFill(order, new Date('2026-03-11T05:00:00Z'))[0]).toMatchObject({ per: 'day', leads: 0 })
})

test('first-attempt success counts waiting deliveries, and times only delivered ones', () => {
  const sums = [
    { ms: 100, deliveries: 6, first: 6 },
    { ms: 2000, deliveries: 3, first: 0 },
    { ms: null, deliveries: 3, first: 0 },
  ]
  expect(judgeDeliveryHealth(sums)).toEqual({
    deliveries: 12,
    first_attempt_rate: 0.5,
    median_ms: 100,
    p95_ms: 2000,
  })
  expect(judgeDeliveryHealth([])).toMatchObject({ first_attempt_rate: null, median_ms: null })
})
