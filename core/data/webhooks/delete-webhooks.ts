import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'
import { noteLeaving } from '../market/sale/arrived-leads.ts'
import type { Database } from '../schema/tables.ts'

/** Deliveries deleted in one statement, which takes some tens of milliseconds. */
const STEP = 2000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Switches configurations of the owner off for good: no deliveries are planned for them any more, held ones included.
 * This is the first step of a deletion, to be committed before the others.
 */
export async function retireWebhooks(trx: Db, owner: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update client_webhook_configs
    set is_active = false, retired_at = now(), disabled_reason = null, disabled_at = null, updated_at = now()
    where client_user_id = ${owner} and id = any(${[...ids]}::uuid[])`.execute(trx)
}

/**
 * Deletes the deliveries of a configuration, possibly millions, except those under way; each step is committed
 * separately. To be done between {@link retireWebhooks} and {@link deleteWebhooks}. The latter locks the configuration
 * until everything is gone, and meanwhile the planning of a lead for it waits, with all leads of its batch.
 */
export async function deleteDeliveries(db: Kysely<Database>, owner: string, id: string): Promise<void> {
  let last: string | undefined = FIRST_ID
  while (last !== undefined) {
    // Each step begins where the last ended; otherwise it would scan everything deleted already. A leased delivery
    // stays, because its sender must still find it, also if it was cancelled meanwhile.
    const { rows }: { rows: { id: string }[] } = await sql<{ id: string }>`
      with step as materialized (
        select d.id from webhook_deliveries d
        where d.webhook_config_id = ${id} and d.client_user_id = ${owner} and d.lease_token is null and d.id > ${last}
        order by d.id limit ${STEP} for update
      ), gone as (
        delete from webhook_deliveries d using step where d.id = step.id
      )
      select id from step order by id offset ${STEP - 1}`.execute(db)
    last = rows[0]?.id
  }
  // A statement that reads past deleted rows marks them in the index, and the next one skips them: better now than
  // while the configuration is locked.
  await db.transaction().execute(async (trx) => {
    await goByIndex(trx)
    await sql`select count(*) from webhook_deliveries where webhook_config_id = ${id}`.execute(trx)
  })
}

/**
 * For this transaction: after so many deletions PostgreSQL's statistics about the table's size are outdated, and it
 * would read all of it while planning waits.
 */
async function goByIndex(trx: Db): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
    trx,
  )
}

/**
 * Deletes configurations of the owner with their deliveries and their endpoints' health; their log stays. To be run in a
 * transaction.
 * @returns the ids of those that were there
 */
export async function deleteWebhooks(trx: Db, owner: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  return await deleteInOrder(trx, sql`client_user_id = ${owner} and id = any(${[...ids]}::uuid[])`)
}

/** Deletes all configurations of a client, each like {@link deleteWebhooks}. */
export async function deleteWebhooksOf(trx: Db, owner: string): Promise<void> {
  await deleteInOrder(trx, sql`client_user_id = ${owner}`)
}

/**
 * Locks the rows in the order of docs/decisions/0005, each kind by its ids. The cascade would lock them in any order,
 * and a deletion and a sender could deadlock.
 */
async function deleteInOrder(trx: Db, which: RawBuilder<unknown>): Promise<string[]> {
  await goByIndex(trx)
  const { rows } = await sql<{ id: string }>`
    select id from client_webhook_configs where ${which} order by id for update`.execute(trx)
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  await sql`
    select
      (select count(*) from (
        select from webhook_endpoint_health where webhook_config_id = any(${ids}::uuid[])
        order by webhook_config_id for update) health),
      (select count(*) from (
        select from webhook_deliveries where webhook_config_id = any(${ids}::uuid[]) order by id for update) deliveries)
  `.execute(trx)
  await noteLeaving(trx, ids)
  await sql`
    with gone as (
      delete from client_webhook_configs where id = any(${ids}::uuid[]) returning id, client_user_id, member_user_id
    )
    insert into lost_webhooks (webhook_config_id, client_user_id, member_user_id, is_deleted)
    select id, client_user_id, member_user_id, true from gone`.execute(trx)
  return ids
}
