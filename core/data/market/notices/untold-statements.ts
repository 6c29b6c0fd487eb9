import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** A month that has ended for a client, whose webhooks are to be told so. */
export interface UntoldStatement {
  client_user_id: string
  timezone: string
  /** `YYYY-MM` in that zone */
  month: string
}

/**
 * Months that ended in the last seven days and at least half an hour ago, of clients that had entries by then and have
 * an active webhook that chose `statement.ready`, and were not told.
 * @param at a moment in place of PostgreSQL's clock
 */
export async function listUntoldStatements(db: Db, at?: Date): Promise<UntoldStatement[]> {
  const { rows } = await sql<UntoldStatement>`
    select a.user_id as client_user_id, a.timezone, to_char(ended.begins, 'YYYY-MM') as month
    from client_accounts a
      cross join lateral (select coalesce(${at ?? null}::timestamptz, now()) as now) clock
      cross join lateral (select date_trunc('month', clock.now at time zone a.timezone) as ends) present
      cross join lateral (select present.ends - interval '1 month' as begins, present.ends at time zone a.timezone as ends) ended
    where clock.now between ended.ends + interval '30 minutes' and ended.ends + interval '7 days'
      and exists (
        select from client_webhook_configs w
        where w.client_user_id = a.user_id and w.is_active and 'statement.ready' = any(w.events))
      and exists (select from balance_ledger b where b.client_user_id = a.user_id and b.created_at < ended.ends)
      and not exists (
        select from told_events n where n.client_user_id = a.user_id and n.type = 'statement.ready'
          and n.key = to_char(ended.begins, 'YYYY-MM'))`.execute(db)
  return rows
}
