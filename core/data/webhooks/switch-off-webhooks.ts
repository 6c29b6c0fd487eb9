import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Switches off every configuration of a client that is on, as the system does when an endpoint is gone: what waits for them, and
 * what comes, is held until the client switches them on again.
 * @param reason what the client and the administrators are told
 */
export async function switchOffWebhooks(db: Db, client: string, reason: string): Promise<void> {
  await sql`
    update client_webhook_configs
    set is_active = false, disabled_reason = ${reason}, disabled_at = now(), updated_at = now()
    where id in (
      select id from client_webhook_configs where client_user_id = ${client} and is_active order by id for no key update)`.execute(
    db,
  )
}
