import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database.ts'
import { notedSince, type Seen } from './market-changes.ts'

/** The account that a client's orders share; money is cents. */
export interface AccountRow {
  client_user_id: string
  balance: number
  licensed_states: string[]
  is_active: boolean
}

/** An order, its client's account, and its counts; money is cents. */
export interface OrderRow extends AccountRow {
  id: string
  number: number
  lead_type: string
  states: string[]
  age_min: number | null
  age_max: number | null
  accept_unknown_age: boolean
  excluded_sources: string[]
  max_lead_age_minutes: number | null
  zip_codes: string[]
  near_zip: string | null
  near_miles: number | null
  daily_cap: number | null
  weekly_cap: number | null
  monthly_cap: number | null
  total_cap: number | null
  daily_budget: number | null
  monthly_budget: number | null
  price: number | null
  priority: number
  weight: number
  schedule: unknown
  timezone: string
  counts_in: string | null
  counts_in_until: Date | null
  starts_at: Date | null
  ends_at: Date | null
  paused_by: string | null
  member_user_id: string | null
  created_at: Date
  ahead_day: string
  ahead_leads: number
  day: string
  day_leads: number
  day_spent: number
  week: string
  week_leads: number
  month: string
  month_leads: number
  month_spent: number
  total_leads: number
  last_assigned_at: Date | null
}

/** The price list of a type of leads; money is cents. */
export interface PriceRow {
  code: string
  price: number
  floor: number
  exceptions: { client: string | null; state: string | null; price: number }[] | null
}

/** Money in cents, which a JavaScript number holds exactly. */
const cents = (column: string): RawBuilder<unknown> => sql`(${sql.ref(column)} * 100)::float8`

const ACCOUNT = sql`${cents('p.balance')} as balance, a.licensed_states,
  p.status = 'active' and a.status = 'active' and u.deleted_at is null as is_active`

/**
 * The existing orders.
 * @param since only those that have changed since this snapshot; undefined: all
 */
export async function readOrders(db: Db, since: Seen | undefined): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select o.id, o.number, o.client_user_id, o.lead_type, o.states, o.age_min, o.age_max, o.accept_unknown_age, o.excluded_sources,
      o.max_lead_age_minutes, o.zip_codes, o.near_zip, o.near_miles, o.daily_cap, o.weekly_cap, o.monthly_cap, o.total_cap, ${cents('o.daily_budget')} as daily_budget,
      ${cents('o.monthly_budget')} as monthly_budget, ${cents('o.price')} as price, o.priority, o.weight, o.schedule, o.timezone, o.counts_in, o.counts_in_until,
      o.starts_at, o.ends_at, o.paused_by, o.member_user_id, o.created_at, o.ahead_day::text as ahead_day, o.ahead_leads,
      t.day::text as day, t.day_leads, ${cents('t.day_spent')} as day_spent, t.week::text as week, t.week_leads,
      t.month::text as month, t.month_leads, ${cents('t.month_spent')} as month_spent, t.total_leads, t.last_assigned_at,
      ${ACCOUNT}
    from orders o
    join order_tallies t on t.order_id = o.id
    join profiles p on p.user_id = o.client_user_id
    join client_accounts a on a.user_id = o.client_user_id
    join auth.users u on u.id = o.client_user_id
    where o.deleted_at is null
      ${since === undefined ? sql`` : sql`and o.id = any(array(select unnest(orders) from (${notedSince(since)}) noted))`}
  `.execute(db)
  return rows
}

export async function readAccounts(db: Db, clients: readonly string[]): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select p.user_id as client_user_id, ${ACCOUNT}
    from profiles p join client_accounts a on a.user_id = p.user_id join auth.users u on u.id = p.user_id
    where p.user_id = any(${[...clients]}::uuid[])
  `.execute(db)
  return rows
}

/** @param only these types, if they are given */
export async function readPrices(db: Db, only: readonly string[] | undefined): Promise<PriceRow[]> {
  const { rows } = await sql<PriceRow>`
    select t.code, ${cents('t.price')} as price, ${cents('t.floor_price')} as floor,
      (select jsonb_agg(jsonb_build_object('client', p.client_user_id, 'state', p.state, 'price', (p.price * 100)::bigint))
       from lead_prices p where p.lead_type = t.code) as exceptions
    from lead_types t ${only === undefined ? sql`` : sql`where t.code = any(${[...only]}::text[])`}
  `.execute(db)
  return rows
}

/** All leads of a type wait while one order, or its client's balance, is locked: for at most a second. */
const PATIENCE_MS = 1000

/**
 * Locks the orders and clients of a sale in the common order: orders, then their clients' balances. It runs behind a
 * savepoint, so that the locks can be given back: nobody holds some and waits for others. It fails if a lock is held by
 * others for longer than {@link PATIENCE_MS} (core/data/is-lock-timeout.ts).
 */
export async function lockCandidates(trx: Db, orderIds: readonly string[]): Promise<void> {
  const ids = sql`${[...orderIds]}::uuid[]`
  await Promise.all([
    sql`savepoint chosen`.execute(trx),
    sql`select set_config('lock_timeout', ${`${PATIENCE_MS}ms`}, true)`.execute(trx),
    sql`
      select from profiles where user_id = any(array(
        select client_user_id from orders where id = any(${ids}) order by id for no key update))
      order by user_id for no key update
    `.execute(trx),
  ])
}

/**
 * Like {@link lockCandidates}, but without waiting.
 * @returns those of these orders that are locked by others, or whose client's balance is
 */
export async function lockFreeCandidates(trx: Db, orderIds: readonly string[]): Promise<string[]> {
  const ids = sql`${[...orderIds]}::uuid[]`
  const [, { rows }] = await Promise.all([
    sql`savepoint chosen`.execute(trx),
    sql<{ id: string }>`
      with free as materialized (
        select id, client_user_id from orders where id = any(${ids}) order by id for no key update skip locked
      ), funded as materialized (
        select user_id from profiles where user_id = any(array(select client_user_id from free))
        order by user_id for no key update skip locked
      )
      select id from orders where id = any(${ids})
        and id <> all(array(select id from free join funded on user_id = client_user_id))
    `.execute(trx),
  ])
  return rows.map(({ id }) => id)
}

export async function unlockCandidates(trx: Db): Promise<void> {
  await sql`rollback to savepoint chosen`.execute(trx)
}

/** From here on, writes can be rolled back while the locks stay. */
export async function beginWriting(trx: Db): Promise<void> {
  await sql`savepoint locked`.execute(trx)
}

export async function takeBackWriting(trx: Db): Promise<void> {
  await sql`rollback to savepoint locked`.execute(trx)
}
