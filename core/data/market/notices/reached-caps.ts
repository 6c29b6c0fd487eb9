import { sql } from 'kysely'
import type { OrderCap } from '#core/contract/market/client-notice.ts'
import type { Db } from '../../database.ts'

/** A cap or budget that an order has reached; `period` is the first day of its day, week or month. */
export interface ReachedCap {
  order_id: string
  client_user_id: string
  order_name: string
  cap: OrderCap
  limit: string
  period: string
}

/**
 * Caps and budgets that running orders have reached in their present day, week or month, of clients who chose to be
 * told and were not.
 */
export async function listReachedCaps(db: Db): Promise<ReachedCap[]> {
  const { rows } = await sql<ReachedCap>`
    select o.id as order_id, o.client_user_id, o.name as order_name, reached.cap, reached.cap_limit as "limit",
      reached.period::text as period
    from client_accounts c join orders o on o.client_user_id = c.user_id join order_tallies t on t.order_id = o.id
      cross join lateral (select (now() at time zone o.timezone)::date as today) clock
      cross join lateral (values
        ('daily', o.daily_cap::text, t.day, t.day = today and t.day_leads >= o.daily_cap),
        ('weekly', o.weekly_cap::text, t.week, t.week = date_trunc('week', today)::date and t.week_leads >= o.weekly_cap),
        ('monthly', o.monthly_cap::text, t.month,
          t.month = date_trunc('month', today)::date and t.month_leads >= o.monthly_cap),
        ('total', o.total_cap::text, date '2000-01-01', t.total_leads >= o.total_cap),
        ('daily_budget', o.daily_budget::text, t.day, t.day = today and t.day_spent >= o.daily_budget),
        ('monthly_budget', o.monthly_budget::text, t.month,
          t.month = date_trunc('month', today)::date and t.month_spent >= o.monthly_budget)
      ) as reached (cap, cap_limit, period, is_reached)
    where c.notices @> '{"caps": true}' and o.deleted_at is null and o.paused_by is null and reached.is_reached
      and not exists (
        select from mails m where m.recipient_user_id = o.client_user_id and m.template = 'cap_reached'
          and m.notice_key = concat_ws(':', o.id, reached.cap, reached.period))`.execute(db)
  return rows
}
