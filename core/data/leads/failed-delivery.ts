import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from './leads.ts'

/** SQL on the delivery `d`: it has failed, and is the viewer's to see. */
export function isFailed(viewer: Viewer): RawBuilder<unknown> {
  const whose = viewer.role === 'admin' ? sql`true` : sql`d.client_user_id = ${viewer.user_id}`
  return sql`${whose} and d.state = 'failed'`
}

/**
 * SQL on the delivery `d`. The newest of a configuration and event counts: a resend replaces what failed before it, unless it was cancelled.
 * Looked for one by one: PostgreSQL would rather read all deliveries than a thousand that failed.
 */
export function hasFailed(viewer: Viewer): RawBuilder<unknown> {
  return sql`${isFailed(viewer)} and (
    select true from webhook_deliveries n
    where n.lead_id = d.lead_id and n.event_id = d.event_id and n.webhook_config_id = d.webhook_config_id
      and n.state <> 'cancelled' and (n.created_at, n.id) > (d.created_at, d.id) limit 1) is null`
}
