import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'

/** Rows deleted in one statement, which takes a fraction of a second. */
const STEP = 10_000

/**
 * Deletes those deliveries of a configuration that have come to their end: millions, perhaps. To be done before
 * {@link deleteWebhook}, which holds the configuration until all is gone; whoever plans a lead for it waits meanwhile, and with him
 * whatever is planned together.
 */
export async function deleteFinishedDeliveries(db: Db, owner: string, id: string): Promise<void> {
  for (let deleted = STEP; deleted === STEP;) {
    // Cancelled with its request under way, a delivery still has its lease: its sender is to find it, or nothing.
    const { rows } = await sql`
      delete from webhook_deliveries where id in (
        select d.id from webhook_deliveries d
        where d.webhook_config_id = ${id} and d.client_user_id = ${owner} and d.lease_token is null
          and d.state in ('delivered', 'failed', 'cancelled')
        limit ${STEP})
      returning 1 as gone`.execute(db)
    deleted = rows.length
  }
}

/**
 * Deletes a configuration with its deliveries and all that is known of its endpoint; its log stays. To be run in a transaction.
 * @returns false when the owner has no such configuration
 */
export async function deleteWebhook(trx: Db, owner: string, id: string): Promise<boolean> {
  return (await deleteInOrder(trx, sql`client_user_id = ${owner} and id = ${id}`)) > 0
}

/** The same of all that a client has. */
export async function deleteWebhooksOf(trx: Db, owner: string): Promise<void> {
  await deleteInOrder(trx, sql`client_user_id = ${owner}`)
}

/**
 * Row after row in the order of docs/decisions/0005, each kind by its ids. Left to the cascade they would be taken as they happen to
 * lie, and whoever deletes and whoever sends would come to wait for each other.
 */
async function deleteInOrder(trx: Db, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from client_webhook_configs where ${which} order by id for update`.execute(trx)
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await sql`
    select
      (select count(*) from (
        select from webhook_endpoint_health where webhook_config_id = any(${ids}::uuid[])
        order by webhook_config_id for update) health),
      (select count(*) from (
        select from webhook_deliveries where webhook_config_id = any(${ids}::uuid[]) order by id for update) deliveries)
  `.execute(trx)
  await sql`delete from client_webhook_configs where id = any(${ids}::uuid[])`.execute(trx)
  return ids.length
}
