import { sql, type RawBuilder } from 'kysely'
import type { OrderCap } from '#core/contract/market/client-notice.ts'
import type { Db } from '../../database.ts'

/**
 * A cap or budget that an order has reached. `period` is the first day of its day, week or month; `opens_at` when the
 * next one begins, null for the total.
 */
export interface ReachedCap {
  order_id: string
  client_user_id: string
  order_name: string
  cap: OrderCap
  limit: string
  period: string
  opens_at: Date | null
}

/** Caps that clients chose to be told of by mail, and were not. */
export async function listReachedCaps(db: Db): Promise<ReachedCap[]> {
  return await listReached(
    db,
    sql`c.notices @> '{"caps": true}' and not exists (
        select from mails m where m.recipient_user_id = o.client_user_id and m.template = 'cap_reached'
          and m.notice_key = concat_ws(':', o.id, reached.cap, reached.period))`,
  )
}

/** Caps of which a webhook of the client is to be told, and was not: the event `order.cap_reached`. */
export async function listUntoldCaps(db: Db): Promise<ReachedCap[]> {
  return await listReached(
    db,
    sql`exists (
        select from client_webhook_configs w
        where w.client_user_id = o.client_user_id and w.is_active and 'order.cap_reached' = any(w.events))
      and not exists (
        select from told_events n where n.client_user_id = o.client_user_id and n.type = 'order.cap_reached'
          and n.key = concat_ws(':', reached.cap, o.id, reached.period))`,
  )
}

/** Caps and budgets that running orders have reached in their present day, week or month. */
async function listReached(db: Db, isToTell: RawBuilder<unknown>): Promise<ReachedCap[]> {
  const { rows } = await sql<ReachedCap>`
    select o.id as order_id, o.client_user_id, o.name as order_name, reached.cap, reached.cap_limit as "limit",
      reached.period::text as period, case reached.cap when 'total' then null else
        (reached.period + reached.lasts)::timestamp at time zone o.timezone end as opens_at
    from client_accounts c join orders o on o.client_user_id = c.user_id join order_tallies t on t.order_id = o.id
      cross join lateral (select (now() at time zone o.timezone)::date as today) clock
      cross join lateral (values
        ('daily', o.daily_cap::text, t.day, interval '1 day', t.day = today and t.day_leads >= o.daily_cap),
        ('weekly', o.weekly_cap::text, t.week, interval '1 week', t.week = date_trunc('week', today)::date and t.week_leads >= o.weekly_cap),
        ('monthly', o.monthly_cap::text, t.month, interval '1 month',
          t.month = date_trunc('month', today)::date and t.month_leads >= o.monthly_cap),
        ('total', o.total_cap::text, date '2000-01-01', interval '0', t.total_leads >= o.total_cap),
        ('daily_budget', o.daily_budget::text, t.day, interval '1 day', t.day = today and t.day_spent >= o.daily_budget),
        ('monthly_budget', o.monthly_budget::text, t.month, interval '1 month',
          t.month = date_trunc('month', today)::date and t.month_spent >= o.monthly_budget)
      ) as reached (cap, cap_limit, period, lasts, is_reached)
    where o.deleted_at is null and o.paused_by is null and reached.is_reached and ${isToTell}`.execute(db)
  return rows
}
