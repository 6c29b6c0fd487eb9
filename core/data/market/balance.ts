import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** A balance, and the figures that tell how long it lasts. Amounts are dollars as text. */
export interface StoredBalance {
  balance: string
  low_balance_threshold: string
  spent_today: string
  spent_this_month: string
  spent_recently: string
  /** days since the first purchase of the last seven days */
  days: number
  cheapest: string | null
  /** whether the client has had money, and an order */
  begun: boolean
  /** the hours of the orders that run, as stored */
  hours: unknown
}

/** Returns undefined for a user without a client account. */
export async function readBalance(db: Db, userId: string): Promise<StoredBalance | undefined> {
  const { rows } = await sql<StoredBalance>`
    with account as materialized (
      select p.user_id, p.balance, a.low_balance_threshold, now() - interval '7 days' as week,
        date_trunc('day', now() at time zone a.timezone) at time zone a.timezone as day,
        date_trunc('month', now() at time zone a.timezone) at time zone a.timezone as month
      from profiles p join client_accounts a on a.user_id = p.user_id where p.user_id = ${userId}
    )
    select account.balance, account.low_balance_threshold, spent.*, (${cheapestOf('account.user_id')}) as cheapest,
      exists (select from balance_ledger where client_user_id = account.user_id)
        and exists (select from orders where client_user_id = account.user_id) as begun,
      coalesce((
        select jsonb_agg(distinct jsonb_build_object('timezone', o.timezone, 'schedule', o.schedule)) from orders o
        where o.client_user_id = account.user_id and o.deleted_at is null and o.paused_by is null
          and (o.ends_at is null or o.ends_at > now())), '[]') as hours
    from account cross join lateral (
      select coalesce(-sum(e.amount) filter (where e.created_at >= account.day), 0.00) as spent_today,
        coalesce(-sum(e.amount) filter (where e.created_at >= account.month), 0.00) as spent_this_month,
        coalesce(-sum(e.amount) filter (where e.created_at >= account.week), 0.00) as spent_recently,
        coalesce(extract(epoch from now() - min(e.created_at) filter (where e.created_at >= account.week)) / 86400, 0)::float8 as days
      from balance_ledger e
      where e.client_user_id = account.user_id and e.entry_type = 'lead_purchase'
        and e.created_at >= least(account.month, account.week)) spent
  `.execute(db)
  return rows[0]
}

/**
 * SQL: the lowest price that one of a client's orders may pay for a lead; null without such an order. The rule of
 * core/domain/market/find-price.ts gives the price in each state that the order may get leads from. An order for all
 * states, without a licence that limits them, may get leads from states without a price of their own.
 * @param orders `running`: only orders that are not paused
 */
export function cheapestOf(client: string, orders: 'all' | 'running' = 'all') {
  // Many orders ask for the same leads, so each price is looked up once.
  return sql`
    select min(greatest(t.floor_price, coalesce(wanted.price, own_there.price, own.price, there.price, t.price)))
    from (
      select distinct o.client_user_id, o.lead_type, o.price, case when o.price is null then place.state::char(2) end as state
      from orders o
      join client_accounts c on c.user_id = o.client_user_id
      cross join lateral unnest(case
        when o.states <> '{}' then o.states
        when c.licensed_states <> '{}' then c.licensed_states
        else array(select p.state::text from lead_prices p where p.lead_type = o.lead_type and p.state is not null
          and coalesce(p.client_user_id, o.client_user_id) = o.client_user_id) || null::text
      end) place (state)
      where o.client_user_id = ${sql.ref(client)} and o.deleted_at is null and (o.ends_at is null or o.ends_at > now())
        and ${orders === 'all' ? sql`true` : sql`o.paused_by is null`}
        and (c.licensed_states = '{}' or place.state = any(c.licensed_states))
    ) wanted
    join lead_types t on t.code = wanted.lead_type
    left join lead_prices own_there on own_there.lead_type = wanted.lead_type
      and own_there.client_user_id = wanted.client_user_id and own_there.state = wanted.state
    left join lead_prices own on own.lead_type = wanted.lead_type
      and own.client_user_id = wanted.client_user_id and own.state is null
    left join lead_prices there on there.lead_type = wanted.lead_type
      and there.client_user_id is null and there.state = wanted.state`
}
