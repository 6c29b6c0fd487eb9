import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** A balance, and what is needed to say how long it lasts. Amounts are dollars as text. */
export interface StoredBalance {
  balance: string
  low_balance_threshold: string
  spent_today: string
  spent_this_month: string
  spent_recently: string
  /** since the first purchase of the last seven days */
  days: number
  cheapest: string | null
}

/** Undefined for who has no client account. */
export async function readBalance(db: Db, userId: string): Promise<StoredBalance | undefined> {
  const { rows } = await sql<StoredBalance>`
    with account as materialized (
      select p.user_id, p.balance, a.low_balance_threshold, now() - interval '7 days' as week,
        date_trunc('day', now() at time zone a.timezone) at time zone a.timezone as day,
        date_trunc('month', now() at time zone a.timezone) at time zone a.timezone as month
      from profiles p join client_accounts a on a.user_id = p.user_id where p.user_id = ${userId}
    )
    select account.balance, account.low_balance_threshold, spent.*, (${cheapestOf('account.user_id')}) as cheapest
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
 * SQL: the least that one of a client's orders may pay for a lead, by the rule of core/domain/market/find-price.ts; null without an
 * order. An order for all states may get one for which there is no price of its own.
 */
export function cheapestOf(client: string) {
  return sql`
    select min(greatest(t.floor_price, coalesce(o.price, least(
      coalesce(own.price, t.price),
      (select min(p.price) from lead_prices p
        where p.lead_type = o.lead_type and p.state is not null and (o.states = '{}' or p.state = any(o.states))
          and (p.client_user_id = o.client_user_id or (p.client_user_id is null and own.price is null)))))))
    from orders o
    join lead_types t on t.code = o.lead_type
    left join lead_prices own on own.lead_type = o.lead_type and own.client_user_id = o.client_user_id and own.state is null
    where o.client_user_id = ${sql.ref(client)} and o.deleted_at is null and (o.ends_at is null or o.ends_at > now())`
}
