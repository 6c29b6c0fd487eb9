import { sql } from 'kysely'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import type { Db } from '#core/data/database.ts'
import { isoTime } from '#core/data/leads/leads.ts'
import type { KeptSpan } from './log-filter.ts'

/** When a lead was first sent to an endpoint, and when it had arrived. */
export type DeliveryTimes = Pick<LeadDetail, 'first_sent_at' | 'delivered_at'>

/**
 * Reads all attempts of a lead, however often it was sent again, once by the log's index on the lead. A webhook has a
 * lead from the answer of its first success.
 * @param whose `client` undefined: all attempts, for an administrator. `span`: all the time in which there can be any
 */
export async function findDeliveryTimes(
  db: Db,
  { leadId, client, span }: { leadId: string; client: string | undefined; span: KeptSpan },
): Promise<DeliveryTimes> {
  const isSeen = client === undefined ? sql`true` : sql`g.client_user_id = ${client}`
  const { rows } = await sql<{ sent_at: Date | null; had_at: Date | null }>`
    select min(one.sent_at) as sent_at, max(one.had_at) as had_at
    from (
      select
        min(g.created_at) filter (where g.remote_address is not null or g.response_status is not null) as sent_at,
        min(g.created_at + coalesce(g.processing_time_ms, 0) * interval '1 millisecond')
          filter (where g.delivery_status = 'delivered') as had_at
      from attempts_of_leads(${[leadId]}, ${span.since}, ${span.until}) g where ${isSeen}
      group by g.webhook_config_id, g.event_id
    ) one
  `.execute(db)
  const { sent_at = null, had_at = null } = rows[0] ?? {}
  return { first_sent_at: isoTime(sent_at), delivered_at: isoTime(had_at) }
}
