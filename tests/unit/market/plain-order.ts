import type { OrderToJudge } from '#core/domain/market/orders/judge-order.ts'
import { EMPTY_TALLY } from '#core/domain/market/tally.ts'

/** An order without conditions, whose client has no money; amounts are in cents. */
export const PLAIN: OrderToJudge = {
  id: 'one',
  client_user_id: 'ann',
  account: { is_active: true, licensed_states: [], balance: 0 },
  prices: { price: 1, floor: 1, exceptions: new Map() },
  price: null,
  states: [],
  area: null,
  age_min: null,
  age_max: null,
  accept_unknown_age: true,
  excluded_sources: [],
  max_lead_age_minutes: null,
  daily_cap: null,
  weekly_cap: null,
  monthly_cap: null,
  total_cap: null,
  daily_budget: null,
  monthly_budget: null,
  schedule: null,
  timezone: 'America/New_York',
  counts_in: null,
  counts_in_until: null,
  starts_at: null,
  ends_at: null,
  paused_by: null,
  tally: EMPTY_TALLY,
}
