import fc from 'fast-check'
import type { BookedOrder } from '#core/domain/market/choice/order-book.ts'
import { openZipArea } from '#core/domain/market/orders/zip-area.ts'
import { keyOfPrice } from '#core/domain/market/find-price.ts'
import type { LeadToJudge } from '#core/domain/market/orders/judge-order.ts'
import { EMPTY_TALLY } from '#core/domain/market/tally.ts'
import { schedules, zones } from './wall-clock.ts'

const few = (max: number) => fc.integer({ min: 0, max })
const cap = fc.option(fc.integer({ min: 1, max: 4 }))
const budget = fc.option(fc.integer({ min: 1, max: 10_000 }))
const states = fc.uniqueArray(fc.constantFrom('CA', 'NY', 'TX'))
export const CLIENTS = ['ann', 'bob', 'cid']
const AT = Date.parse('2026-03-08T07:00Z')
export const shortMoments = few(14 * 86_400).map((seconds) => new Date(AT + seconds * 1000))

const someone = fc.uniqueArray(fc.constantFrom(...CLIENTS), { maxLength: 1 }).map((ids) => new Set(ids))

export const leads: fc.Arbitrary<LeadToJudge> = fc.record({
  state: fc.constantFrom('CA', 'NY', 'TX', null),
  zip: fc.constantFrom(null, '10001', '90210-1234'),
  age: fc.option(few(120)),
  source_id: fc.constantFrom('s1', 's2', null),
  waited_ms: fc.constantFrom(0, 0, 60_000, 60_001, 300_000, 86_400_000),
  sold_to: someone,
  kept_from: someone,
})

const exceptions = fc
  .array(fc.tuple(fc.constantFrom(...CLIENTS, null), fc.constantFrom('CA', 'NY', null), few(5000)), {
    maxLength: 4,
  })
  // An exception without client and state would be the list price.
  .map((all) => all.filter(([client, state]) => client !== null || state !== null))
  .map((all) => new Map(all.map(([client, state, price]) => [keyOfPrice(client, state), price])))

const areas = fc
  .constantFrom(['100'], ['90210', '10001'], ['11111'])
  .map((zip_codes) => openZipArea({ zip_codes, near_zip: null, near_miles: null }, () => undefined))
const rare = <T>(usual: T, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })

/** Orders of three clients that differ in everything that decides; ties are frequent. */
export const orders: fc.Arbitrary<BookedOrder> = fc.record({
  id: fc.uuid(),
  number: few(1000),
  lead_type: fc.constant('auto'),
  client_user_id: fc.constantFrom(...CLIENTS),
  account: fc.record({
    is_active: rare(true, fc.boolean()),
    licensed_states: rare<string[]>([], states),
    balance: few(20_000),
  }),
  prices: fc.record({ price: few(3000), floor: few(2000), exceptions }),
  price: fc.option(few(3000)),
  states: rare<string[]>([], states),
  area: rare<BookedOrder['area']>(null, areas),
  age_min: fc.option(few(60)),
  age_max: fc.option(few(60).map((age) => age + 60)),
  accept_unknown_age: fc.boolean(),
  excluded_sources: rare<string[]>([], fc.constant(['s1'])),
  max_lead_age_minutes: rare<number | null>(null, fc.constantFrom(1, 5)),
  daily_cap: cap,
  weekly_cap: cap,
  monthly_cap: cap,
  total_cap: cap,
  daily_budget: budget,
  monthly_budget: budget,
  schedule: rare<BookedOrder['schedule']>(null, schedules),
  timezone: zones,
  counts_in: fc.constant(null),
  counts_in_until: fc.constant(null),
  starts_at: rare<Date | null>(null, shortMoments),
  ends_at: rare<Date | null>(null, shortMoments),
  paused_by: rare<string | null>(null, fc.constant('client')),
  tally: fc.constant(EMPTY_TALLY),
  priority: fc.constantFrom(1, 50, 50, 50),
  weight: fc.constantFrom(1, 1, 2, 3),
  last_assigned_at: fc.constantFrom(null, new Date(AT), new Date(AT - 1)),
  member_user_id: fc.constant(null),
  created_at: fc.constantFrom(new Date(0), new Date(1)),
  ahead_day: fc.constantFrom('-infinity', '2026-03-08', '2026-03-12'),
  ahead_leads: few(3),
})

/** Orders with unique ids and numbers. */
export const manyOrders = (maxLength: number): fc.Arbitrary<BookedOrder[]> =>
  fc
    .uniqueArray(orders, { maxLength, selector: ({ id }) => id })
    .map((all) => all.map((order, index) => ({ ...order, number: order.number * 10 + index })))
