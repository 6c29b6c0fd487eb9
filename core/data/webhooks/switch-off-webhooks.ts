import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Switches off every configuration of a client that is on, as the system does when an endpoint is gone. Waiting and new
 * deliveries are held until the client switches the configuration on again.
 * @param reason the text that the client and the administrators get
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

/** Switches off one configuration, like {@link switchOffWebhooks}. */
export async function switchOffWebhook(db: Db, id: string, reason: string): Promise<void> {
  await db
    .updateTable('client_webhook_configs')
    .set({
      is_active: false,
      disabled_reason: reason,
      disabled_at: sql<Date>`now()`,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where('is_active', '=', true)
    .execute()
}

/** The account that a configuration belongs to; undefined if there is no such configuration. */
export async function findOwnerOfWebhook(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('client_webhook_configs')
    .select('client_user_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.client_user_id
}
