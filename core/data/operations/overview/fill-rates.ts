import { sql } from 'kysely'
import type { CappedOrder } from '#core/domain/market/fill-rate.ts'
import { clientName } from '../../accounts/named-client.ts'
import type { Db } from '../../database.ts'

/** More running orders than anybody looks through. */
const READ = 2000

/** Running orders with a cap, and what they got by their own days, weeks and months. */
export async function listCappedOrders(db: Db): Promise<CappedOrder[]> {
  const { rows } = await sql<CappedOrder>`
    select o.id as order_id, o.name as order_name, o.client_user_id as client_id,
      ${clientName('p')} as client_name,
      o.timezone, o.counts_in, o.counts_in_until, o.daily_cap, o.weekly_cap, o.monthly_cap, o.total_cap,
      jsonb_build_object('day', t.day::text, 'day_leads', t.day_leads, 'day_spent', (t.day_spent * 100)::bigint, 'week', t.week::text,
        'week_leads', t.week_leads, 'month', t.month::text, 'month_leads', t.month_leads, 'month_spent', (t.month_spent * 100)::bigint,
        'total_leads', t.total_leads) as tally
    from orders o join order_tallies t on t.order_id = o.id join client_accounts a on a.user_id = o.client_user_id
      join profiles p on p.user_id = o.client_user_id
    where o.deleted_at is null and o.paused_by is null and (o.starts_at is null or o.starts_at <= now())
      and (o.ends_at is null or o.ends_at > now()) and a.status = 'active' and p.status = 'active'
      and coalesce(o.daily_cap, o.weekly_cap, o.monthly_cap, o.total_cap) is not null
    order by o.created_at, o.id limit ${READ}`.execute(db)
  return rows
}

/** The names of sources by their ids. */
export async function nameSources(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from sources where id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
