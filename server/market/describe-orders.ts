import { PERMISSIONS_OF_MEMBER } from '#core/contract/accounts/member-role.ts'
import type { Order, OrderTerms } from '#core/contract/market/order.ts'
import { scheduleSchema } from '#core/contract/market/schedule.ts'
import { readMarketOfClient, type MarketOfClient } from '#core/data/market/market-of-client.ts'
import type { OrderRow } from '#core/data/market/orders.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import {
  describeOrder,
  findPriceRange,
  type OrderToDescribe,
} from '#core/domain/market/orders/describe-order.ts'
import { keyOfPrice, type PriceList } from '#core/domain/market/find-price.ts'
import { countingMoment, readTally, type Tally } from '#core/domain/market/tally.ts'
import { AppError } from '#core/errors.ts'
import { readStored } from '#core/read-stored.ts'
import type { ServerContext } from '../context.ts'
import type { Principal } from '../identity/find-live-session.ts'

/** The market of a client, for one of its people. */
interface MarketOfReader extends MarketOfClient {
  /** their role may not see money */
  hides_balance: boolean
}

/** @throws AppError forbidden for an account that buys nothing: an administrator has no client account */
export async function requireMarketOfClient(
  { db }: Pick<ServerContext, 'db'>,
  { user_id: owner, member_role }: Pick<Principal, 'user_id' | 'member_role'>,
): Promise<MarketOfReader> {
  const market = await readMarketOfClient(db, owner)
  if (market === undefined) throw new AppError('forbidden', 'Only clients have orders.')
  return { ...market, hides_balance: !PERMISSIONS_OF_MEMBER[member_role].includes('money') }
}

/** An order as its client sees it now. */
export function describeOrderRow(row: OrderRow, market: MarketOfReader, at: Date): Order {
  const order = prepareOrder(row, market)
  const { lowest, highest } = findPriceRange(order)
  const tally = readTally(order.tally, countingMoment(row, at))
  return {
    id: row.id,
    client_user_id: row.client_user_id,
    ...readTerms(row),
    lead_type_label: market.lead_types.find(({ code }) => code === row.lead_type)?.label ?? row.lead_type,
    price: formatCents(lowest),
    highest_price: formatCents(highest),
    paused_by: readPausedBy(row),
    paused_by_client: row.paused_by === 'client' || row.also_paused_by_client,
    pause_reason: row.pause_reason,
    state: describeOrder(order, at),
    tallies: {
      today: { leads: tally.day_leads, spent: formatCents(tally.day_spent) },
      week: { leads: tally.week_leads },
      month: { leads: tally.month_leads, spent: formatCents(tally.month_spent) },
      total: { leads: tally.total_leads },
      last_assigned_at: iso(row.last_assigned_at),
    },
    member_user_id: row.member_user_id,
    version: row.version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** The settings of an order that its client decides, in the contract's form. */
export function readTerms(row: OrderRow): OrderTerms {
  return {
    name: row.name,
    lead_type: row.lead_type,
    states: row.states,
    age_min: row.age_min,
    age_max: row.age_max,
    accept_unknown_age: row.accept_unknown_age,
    excluded_sources: row.excluded_sources,
    max_lead_age_minutes: row.max_lead_age_minutes,
    zip_codes: row.zip_codes,
    near_zip: row.near_zip,
    near_miles: row.near_miles,
    daily_cap: row.daily_cap,
    weekly_cap: row.weekly_cap,
    monthly_cap: row.monthly_cap,
    total_cap: row.total_cap,
    daily_budget: row.daily_budget,
    monthly_budget: row.monthly_budget,
    schedule: readSchedule(row),
    timezone: row.timezone,
    starts_at: iso(row.starts_at),
    ends_at: iso(row.ends_at),
    when_undelivered: row.when_undelivered,
  }
}

/** An order with everything that decides about it, money in cents. */
export function prepareOrder(row: OrderRow, market: MarketOfReader): OrderToDescribe & { name: string } {
  const { account } = market
  return {
    ...row,
    account: {
      is_active: account.status === 'active',
      licensed_states: account.licensed_states,
      balance: requireCents(account.balance),
    },
    account_status: account.status,
    hides_balance: market.hides_balance,
    prices: readPrices(market, row.lead_type),
    price: cents(row.price),
    daily_budget: cents(row.daily_budget),
    monthly_budget: cents(row.monthly_budget),
    // Its sentence is about a lead that it takes.
    area: null,
    schedule: readSchedule(row),
    tally: readRowTally(row),
  }
}

/** The prices of a type's leads for this client. */
export function readPrices({ lead_types }: MarketOfClient, code: string): PriceList {
  const type = lead_types.find((one) => one.code === code)
  if (type === undefined) throw new Error('A lead type without its price')
  return {
    price: requireCents(type.price),
    floor: requireCents(type.floor_price),
    exceptions: new Map(
      type.exceptions.map((one) => [keyOfPrice(one.client_user_id, one.state), requireCents(one.price)]),
    ),
  }
}

function readRowTally({ day_spent, month_spent, ...row }: OrderRow): Tally {
  return { ...row, day_spent: requireCents(day_spent), month_spent: requireCents(month_spent) }
}

function readSchedule(row: OrderRow) {
  return row.schedule === null ? null : readStored(scheduleSchema, row.schedule, 'an order’s schedule')
}

function readPausedBy({ paused_by }: OrderRow): Order['paused_by'] {
  return paused_by === 'client' || paused_by === 'admin' ? paused_by : paused_by === null ? null : 'system'
}

function cents(dollars: string | null): number | null {
  return dollars === null ? null : requireCents(dollars)
}

function iso(at: Date | null): string | null {
  return at?.toISOString() ?? null
}
