import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import type { UnservedTries } from '#core/domain/webhooks/by-mail/mail-server-retries.ts'

/** Counts the tries of a delivery that our mail server did not take, in the log of the last 14 days. */
export async function readUnservedTries(
  db: Db,
  { lead_id: lead, delivery_id: delivery }: { lead_id: string; delivery_id: string },
): Promise<UnservedTries> {
  const { rows } = await sql<UnservedTries>`
    select count(*)::int as count, min(created_at) as since from webhook_delivery_logs
    where lead_id = ${lead} and delivery_id = ${delivery} and error_class = 'mail_server'
      and created_at > now() - interval '14 days'`.execute(db)
  return rows[0] ?? { count: 0, since: null }
}
