import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'
import type { Viewer } from './leads.ts'

/** SQL on the delivery `d`: it has failed, and is the viewer's to see. */
function isFailed(viewer: Viewer): RawBuilder<unknown> {
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

/** So many failed deliveries are gone through as quickly as a list is walked in which one in a hundred leads has one. */
const FEW_FAILED = 2000

export async function haveFewFailed(db: Db, viewer: Viewer): Promise<boolean> {
  const { rows } = await sql<{ is_few: boolean }>`
    select not exists (
      select from webhook_deliveries d where ${isFailed(viewer)} offset ${FEW_FAILED}
    ) as is_few`.execute(db)
  return rows[0]?.is_few ?? true
}
