import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'
import type { Viewer } from './leads.ts'

/** SQL on the delivery `d`: it has failed, and the viewer may see it. */
function isFailed(viewer: Viewer): RawBuilder<unknown> {
  const whose = viewer.role === 'admin' ? sql`true` : sql`d.client_user_id = ${viewer.user_id}`
  return sql`${whose} and d.state = 'failed'`
}

/**
 * SQL on the delivery `d`. The newest delivery of a configuration and event counts: a resend replaces an earlier
 * failure, unless the resend was cancelled. Each is looked up separately: otherwise PostgreSQL would read all
 * deliveries rather than the thousand that failed.
 */
export function hasFailed(viewer: Viewer): RawBuilder<unknown> {
  return sql`${isFailed(viewer)} and (
    select true from webhook_deliveries n
    where n.lead_id = d.lead_id and n.event_id = d.event_id and n.webhook_config_id = d.webhook_config_id
      and n.state <> 'cancelled' and (n.created_at, n.id) > (d.created_at, d.id) limit 1) is null`
}

/**
 * Up to this many failed deliveries, reading all of them is as fast as walking a list in which one lead in a hundred
 * has one.
 */
const FEW_FAILED = 2000

export async function haveFewFailed(db: Db, viewer: Viewer): Promise<boolean> {
  const { rows } = await sql<{ is_few: boolean }>`
    select not exists (
      select from webhook_deliveries d where ${isFailed(viewer)} offset ${FEW_FAILED}
    ) as is_few`.execute(db)
  return rows[0]?.is_few ?? true
}
