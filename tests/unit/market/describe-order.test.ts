import { expect, test } from 'vitest'
import {
  describeOrder,
  findPriceRange,
  type OrderToDescribe,
} from '#core/domain/market/orders/describe-order.ts'
import { keyOfPrice } from '#core/domain/market/find-price.ts'
import { writeChecklist } from '#core/domain/market/write-checklist.ts'
import { PLAIN } from './plain-order.ts'

/** A Thursday, 3:30 PM in New York, without a change of clocks near it. */
const AT = new Date('2026-11-26T20:30:00Z')

function makeOrder(given: Partial<OrderToDescribe> = {}): OrderToDescribe {
  return {
    ...PLAIN,
    account: { is_active: true, licensed_states: [], balance: 10_000 },
    account_status: 'active',
    prices: { price: 2500, floor: 1000, exceptions: new Map() },
    pause_reason: null,
    also_paused_by_client: false,
    ...given,
  }
}

const ALL_TODAY = {
  day: '2026-11-26',
  day_leads: 12,
  day_spent: 24_000,
  week: '2026-11-23',
  week_leads: 1200,
  month: '2026-11-01',
  month_leads: 60,
  month_spent: 150_000,
  total_leads: 500,
}
const account = (given: Partial<OrderToDescribe['account']>) => ({ ...makeOrder().account, ...given })

test.each<[string, string, string | null, Partial<OrderToDescribe>]>([
  ['active', 'Receiving leads', null, {}],
  ['active', 'Receiving leads', null, { age_min: 50, age_max: 85, accept_unknown_age: false }],
  ['paused', 'Paused by you', null, { paused_by: 'client' }],
  ['paused', 'Paused by an administrator', null, { paused_by: 'admin' }],
  [
    'paused',
    'Paused by you, and by an administrator: Many returns',
    null,
    { paused_by: 'admin', also_paused_by_client: true, pause_reason: 'Many returns' },
  ],
  [
    'paused',
    'Paused automatically: too many returns',
    null,
    { paused_by: 'system', pause_reason: 'too many returns' },
  ],
  [
    'account',
    'Your account has not been approved yet',
    null,
    { account: account({ is_active: false }), account_status: 'onboarding' },
  ],
  [
    'account',
    'Your licence names none of its states',
    null,
    { states: ['CA'], account: account({ licensed_states: ['TX'] }) },
  ],
  [
    'scheduled',
    'Starts Tue, Dec 1, 9:00 AM ET',
    '2026-12-01T14:00:00.000Z',
    { starts_at: new Date('2026-12-01T14:00:00Z') },
  ],
  [
    'scheduled',
    'Outside its hours. Resumes 9:00 AM ET',
    '2026-11-27T14:00:00.000Z',
    { schedule: { thu: [['09:00', '15:00']], fri: [['09:00', '15:00']] } },
  ],
  [
    'scheduled',
    'Outside its hours. Resumes Mon, Nov 30, 9:00 AM ET',
    '2026-11-30T14:00:00.000Z',
    { schedule: { mon: [['09:00', '15:00']] } },
  ],
  ['ended', 'Ended Fri, Nov 20, 9:00 AM ET', null, { ends_at: new Date('2026-11-20T14:00:00Z') }],
  [
    'capped',
    'Daily cap reached (12 of 10). Resumes 12:00 AM ET',
    '2026-11-27T05:00:00.000Z',
    { daily_cap: 10, tally: ALL_TODAY },
  ],
  [
    'capped',
    'Weekly cap reached (1,200 of 1,200). Resumes Mon, Nov 30, 12:00 AM ET',
    '2026-11-30T05:00:00.000Z',
    { weekly_cap: 1200, tally: ALL_TODAY },
  ],
  [
    'capped',
    'Monthly cap reached (60 of 60). Resumes Tue, Dec 1, 12:00 AM PT',
    '2026-12-01T08:00:00.000Z',
    { monthly_cap: 60, tally: ALL_TODAY, timezone: 'America/Los_Angeles' },
  ],
  ['capped', 'Total cap reached (500 of 500)', null, { total_cap: 500, tally: ALL_TODAY }],
  [
    'capped',
    'Daily budget reached ($240.00 of $250.00). Resumes 12:00 AM ET',
    '2026-11-27T05:00:00.000Z',
    { daily_budget: 25_000, tally: ALL_TODAY },
  ],
  [
    'capped',
    'Monthly budget $20.00 is below the lead price $25.00',
    null,
    { monthly_budget: 2000, tally: ALL_TODAY },
  ],
  [
    'out_of_funds',
    'Balance $12.00 is below the lead price $25.00',
    null,
    { account: account({ balance: 1200 }) },
  ],
])('describes an order as %s: %s', (code, sentence, until, given) => {
  expect(describeOrder(makeOrder(given), AT)).toEqual({ code, sentence, until })
})

test('an order stays active while the balance covers its cheapest state', () => {
  const exceptions = new Map([
    [keyOfPrice(null, 'TX'), 4000],
    [keyOfPrice(PLAIN.client_user_id, 'CA'), 1500],
    [keyOfPrice('c2', 'CA'), 1000],
  ])
  const prices = { price: 2500, floor: 1000, exceptions }
  const order = makeOrder({ prices, states: ['CA', 'NY', 'TX'], account: account({ balance: 1500 }) })
  expect(findPriceRange(order)).toEqual({ lowest: 1500, highest: 4000 })
  expect(describeOrder(order, AT).code).toBe('active')
  const licensed = account({ balance: 1500, licensed_states: ['NY', 'TX'] })
  expect(describeOrder({ ...order, account: licensed }, AT).sentence).toBe(
    'Balance $15.00 is below the lead price $25.00',
  )
})

const check = (orders: OrderToDescribe[], deliveries = { active: 1, last_failed: false as boolean | null }) =>
  writeChecklist(
    orders.map((order, index) => ({ ...order, name: `Order ${index + 1}` })),
    deliveries,
    AT,
  )
const bad = (lines: ReturnType<typeof check>) =>
  lines.filter(({ ok }) => !ok).map(({ code, sentence }) => `${code}: ${sentence}`)

test('the checklist has no fault when leads can come', () => {
  const lines = check([makeOrder()])
  expect(bad(lines)).toEqual([])
  expect(lines.map(({ code }) => code)).toEqual([
    'account_active',
    'order_active',
    'in_date_range',
    'schedule_open',
    'state_selected',
    'under_caps',
    'funded',
    'delivery_method',
    'last_delivery',
  ])
})

test('the checklist names all obstacles at once', () => {
  const order = makeOrder({
    account: { is_active: false, licensed_states: ['TX'], balance: 0 },
    account_status: 'onboarding',
    paused_by: 'client',
    ends_at: new Date('2026-11-20T14:00:00Z'),
    schedule: { mon: [['09:00', '15:00']] },
    states: ['CA'],
    daily_cap: 10,
    tally: ALL_TODAY,
  })
  expect(bad(check([order], { active: 0, last_failed: true }))).toEqual([
    'account_active: Your account has not been approved yet',
    'order_active: “Order 1” is paused by you',
    'in_date_range: Ended Fri, Nov 20, 9:00 AM ET',
    'schedule_open: Outside its hours. Resumes Mon, Nov 30, 9:00 AM ET',
    'state_selected: Your licence names none of its states',
    'under_caps: Daily cap reached (12 of 10). Resumes 12:00 AM ET',
    'funded: Balance $0.00 is below the lead price $25.00',
    'delivery_method: No active webhook takes assigned leads; they wait for you under Leads',
    'last_delivery: The last delivery failed',
  ])
})

test('the checklist continues with the orders that pass each line', () => {
  const full = makeOrder({ daily_cap: 10, tally: ALL_TODAY })
  const paused = makeOrder({ paused_by: 'client' })
  expect(bad(check([paused, full]))).toEqual([
    'under_caps: Order 2: Daily cap reached (12 of 10). Resumes 12:00 AM ET',
  ])
  expect(bad(check([paused, full, makeOrder()]))).toEqual([])
  expect(bad(check([]))).toEqual(['order_active: You have no order yet'])
})
