import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'

/**
 * Removes endpoints' hours before this moment.
 * @returns how many were removed
 */
export async function removeEndpointHours(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_endpoint_hours')
    .where('hour', '<', before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/**
 * Removes notices before this moment, and mails that were sent or given up.
 * @returns how many were removed
 */
export async function removeNotices(db: Db, before: Date): Promise<number> {
  const mails = await db
    .deleteFrom('mails')
    .where('created_at', '<', before)
    .where('next_try_at', 'is', null)
    .executeTakeFirstOrThrow()
  // The notice of a present switch-off stays; otherwise it would be sent a second time. So does a warning that is still
  // to be taken back.
  const notices = await sql`
    delete from webhook_endpoint_notices n where n.created_at < ${before} and not exists (
      select from client_webhook_configs c left join webhook_endpoint_health h on h.webhook_config_id = c.id
      where c.id = n.webhook_config_id and (c.disabled_at = n.spell_at or h.warned_at is not null))
    returning n.id`.execute(db)
  return Number(mails.numDeletedRows) + notices.rows.length
}

/**
 * Removes workers that have reported nothing since this moment.
 * @returns how many were removed
 */
export async function removeOutcomeTellers(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_outcome_tellers')
    .where('told_at', '<', before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
