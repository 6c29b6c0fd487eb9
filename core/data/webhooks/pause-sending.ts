import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Pauses all sending to a client: its deliveries become held when they are claimed, and its webhooks stay as they are.
 * To be run under the locks of the account and the profile, because adding a webhook locks the profile.
 * @param reason the text that the client reads
 */
export async function pauseSending(trx: Db, client: string, reason: string): Promise<void> {
  await trx
    .updateTable('client_accounts')
    .set({ sending_paused_at: sql<Date>`now()`, sending_pause_reason: reason })
    .where('user_id', '=', client)
    .execute()
  await markWebhooks(trx, client, reason)
}

/**
 * Ends the pause, under the same locks. The caller then releases the held deliveries of these webhooks in the same
 * transaction (core/data/webhooks/health/breakers.ts).
 * @returns the client's webhooks
 */
export async function resumeSending(trx: Db, client: string): Promise<string[]> {
  await trx
    .updateTable('client_accounts')
    .set({ sending_paused_at: null, sending_pause_reason: null })
    .where('user_id', '=', client)
    .execute()
  return await markWebhooks(trx, client, null)
}

/** Locks the rows in the order of their ids, as every statement that locks several of them does. */
async function markWebhooks(trx: Db, client: string, reason: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update client_webhook_configs set sending_pause_reason = ${reason}
    where id in (select id from client_webhook_configs where client_user_id = ${client} order by id for no key update)
    returning id`.execute(trx)
  return rows.map(({ id }) => id).toSorted()
}
