import type { Schedule } from '#core/contract/market/schedule.ts'
import { findLeastPrice, findPrice, type PriceList } from '../find-price.ts'
import { localMoment, type LocalMoment } from '../local-moment.ts'
import { isScheduleOpen } from '../schedule.ts'
import type { ZipArea } from './zip-area.ts'
import { countingMoment, readTally, type Counting, type Tally } from '../tally.ts'

/** The reasons why an order does not get a lead, in the order in which they are checked (docs/product.md §10). */
export const REFUSALS = [
  'state',
  'account_not_active',
  'order_paused',
  'not_started',
  'ended',
  'off_schedule',
  'daily_cap',
  'weekly_cap',
  'monthly_cap',
  'total_cap',
  'not_licensed',
  'daily_budget',
  'monthly_budget',
  'funds',
  'outside_area',
  'age',
  'age_unknown',
  'source_excluded',
  'too_old',
  'sold_to_client_before',
  'kept_from_client',
] as const
export type Refusal = (typeof REFUSALS)[number]

const MINUTE_MS = 60_000

/** The fields of a lead that decide. */
export interface LeadToJudge {
  state: string | null
  zip: string | null
  age: number | null
  source_id: string | null
  /** milliseconds since it came, without the time in which no worker ran; 0 for the first decision about it */
  waited_ms: number
  /** clients that recently bought a lead of this person and type, or had this lead before */
  sold_to: ReadonlySet<string>
  /** clients whose own leads contain this person's demand not to be contacted */
  kept_from: ReadonlySet<string>
}

/** The account that a client's orders share; money is cents. */
export interface AccountToJudge {
  is_active: boolean
  licensed_states: readonly string[]
  balance: number
}

/** An order for the lead's type, with the facts it depends on; money is cents. */
export interface OrderToJudge extends Counting {
  id: string
  client_user_id: string
  account: AccountToJudge
  prices: PriceList
  /** the price set by administrators, if it differs from the price list */
  price: number | null
  states: readonly string[]
  /** the ZIP codes that it takes; null: all */
  area: ZipArea | null
  age_min: number | null
  age_max: number | null
  accept_unknown_age: boolean
  excluded_sources: readonly string[]
  max_lead_age_minutes: number | null
  daily_cap: number | null
  weekly_cap: number | null
  monthly_cap: number | null
  total_cap: number | null
  daily_budget: number | null
  monthly_budget: number | null
  schedule: Schedule | null
  starts_at: Date | null
  ends_at: Date | null
  paused_by: string | null
  tally: Tally
}

/** An order among others, with the fields that decide their order. */
export interface OrderToChoose extends OrderToJudge {
  /** its position in texts about all orders */
  number: number
  /** 1 is tried first */
  priority: number
  /** its part among the orders of the same priority */
  weight: number
  last_assigned_at: Date | null
  /** the person of the account for whom it buys; null: shared */
  member_user_id: string | null
  created_at: Date
  /** leads that it counts as received in addition on this day (find-head-start.ts) */
  ahead_day: string
  ahead_leads: number
}

/** `not_first`: another order got the lead first, so that this one was not asked. */
export type NotChosen = Refusal | 'not_first'

/** The first reason why this order does not get this lead at this moment; undefined if it may get it. */
export function judgeOrder(lead: LeadToJudge, order: OrderToJudge, at: Date): Refusal | undefined {
  if (!isForState(order.states, lead.state)) return 'state'
  const here = localMoment(order.timezone, at)
  const tally = readTally(order.tally, countingMoment(order, at))
  return (
    refuseAll(order, at, here, tally) ??
    (isForState(order.account.licensed_states, lead.state) ? undefined : 'not_licensed') ??
    refuseLead(lead, order, tally, findPrice(order.prices, order, lead.state))
  )
}

/**
 * The reason that excludes every lead from the states that the order names, even the cheapest lead.
 * @param here the moment in its zone, by which its schedule opens
 * @param tally its counts at that moment
 */
export function refuseAll(
  order: OrderToJudge,
  at: Date,
  here: LocalMoment,
  tally: Tally,
): Refusal | undefined {
  if (!order.account.is_active) return 'account_not_active'
  if (order.paused_by !== null) return 'order_paused'
  if (order.starts_at !== null && at < order.starts_at) return 'not_started'
  if (order.ends_at !== null && at >= order.ends_at) return 'ended'
  if (!isScheduleOpen(order.schedule, here)) return 'off_schedule'
  if (isFull(order.daily_cap, tally.day_leads)) return 'daily_cap'
  if (isFull(order.weekly_cap, tally.week_leads)) return 'weekly_cap'
  if (isFull(order.monthly_cap, tally.month_leads)) return 'monthly_cap'
  if (isFull(order.total_cap, tally.total_leads)) return 'total_cap'
  return refusePrice(order, tally, findLeastPrice(order.prices, order))
}

/**
 * Further reasons that may exclude a lead from a state that it is for.
 * @param tally its counts at the moment
 * @param price the price that it would pay, in cents
 */
export function refuseLead(
  lead: LeadToJudge,
  order: OrderToJudge,
  tally: Tally,
  price: number,
): Refusal | undefined {
  const refusal = refusePrice(order, tally, price)
  if (refusal !== undefined) return refusal
  if (order.area !== null && !order.area.covers(lead.zip)) return 'outside_area'
  if (order.age_min !== null || order.age_max !== null) {
    if (lead.age === null) {
      if (!order.accept_unknown_age) return 'age_unknown'
    } else if (lead.age < (order.age_min ?? 0) || lead.age > (order.age_max ?? Infinity)) return 'age'
  }
  if (lead.source_id !== null && order.excluded_sources.includes(lead.source_id)) return 'source_excluded'
  if (lead.waited_ms > (order.max_lead_age_minutes ?? Infinity) * MINUTE_MS) return 'too_old'
  if (lead.sold_to.has(order.client_user_id)) return 'sold_to_client_before'
  return lead.kept_from.has(order.client_user_id) ? 'kept_from_client' : undefined
}

function refusePrice(order: OrderToJudge, tally: Tally, price: number): Refusal | undefined {
  if (tally.day_spent + price > (order.daily_budget ?? Infinity)) return 'daily_budget'
  if (tally.month_spent + price > (order.monthly_budget ?? Infinity)) return 'monthly_budget'
  return order.account.balance < price ? 'funds' : undefined
}

/** An empty list means all states. */
export function isForState(states: readonly string[], state: string | null): boolean {
  return states.length === 0 || (state !== null && states.includes(state))
}

function isFull(cap: number | null, leads: number): boolean {
  return cap !== null && leads >= cap
}
