import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import type { UnservedTries } from '#core/domain/webhooks/by-mail/mail-server-retries.ts'

/**
 * Counts the tries of a delivery that our mail server did not take, in the log of the last 14 days.
 * @param noAnswer how the texts of tries begin that count as attempts
 */
export async function readUnservedTries(
  db: Db,
  { lead_id: lead, delivery_id: delivery }: { lead_id: string; delivery_id: string },
  noAnswer: string,
): Promise<UnservedTries> {
  const { rows } = await sql<UnservedTries>`
    select count(*)::int as count, min(created_at) as since from webhook_delivery_logs
    where lead_id = ${lead} and delivery_id = ${delivery} and error_class = 'mail_server'
      and not starts_with(coalesce(error_message, ''), ${noAnswer}) and created_at > now() - interval '14 days'`.execute(
    db,
  )
  return rows[0] ?? { count: 0, since: null }
}
