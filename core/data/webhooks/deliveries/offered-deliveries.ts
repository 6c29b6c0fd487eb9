import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#core/data/database.ts'

/**
 * Limit of rows that one statement changes, so that it holds its locks only for a short time; the caller repeats it.
 */
export const CANCEL_BATCH = 2000

/**
 * SQL on `d`: it was planned while its webhook was off, so its owner decides: it is not sent automatically, even when
 * the webhook is on again (docs/product.md §4). Deliveries that were planned while the webhook was on, and were held
 * since, are not among these.
 */
export const IS_OFFERED = sql`d.state = 'held' and d.offered_until is not null`

/**
 * SQL on `d`: held for a webhook that its owner has switched off, and not switched on since. Such a delivery does not
 * decide its lead's status while the lead has another delivery, because many clients keep a webhook that they do not
 * use any more.
 */
export const IS_SET_ASIDE = sql`(${IS_OFFERED} and exists (
  select from client_webhook_configs off where off.id = d.webhook_config_id and not off.is_active and off.disabled_at is null))`

/**
 * Turns offered deliveries into held ones, at most {@link CANCEL_BATCH} of a webhook at a time. Held deliveries are
 * sent as soon as the webhook is on and its endpoint answers. The caller then releases them in the same transaction
 * (core/data/webhooks/health/breakers.ts).
 * @returns how many
 */
export async function acceptOffered(
  trx: Db,
  client: string,
  which: { webhook_config_id: string } | { delivery_id: string },
): Promise<number> {
  const these: RawBuilder<unknown> =
    'delivery_id' in which
      ? sql`d.id = ${which.delivery_id}`
      : sql`d.webhook_config_id = ${which.webhook_config_id}`
  const { rows } = await sql`
    with offered as (
      select d.id from webhook_deliveries d where ${these} and d.client_user_id = ${client} and ${IS_OFFERED}
      order by d.id limit ${CANCEL_BATCH} for update
    )
    update webhook_deliveries d set offered_until = null from offered where d.id = offered.id
    returning 1 as accepted`.execute(trx)
  return rows.length
}

/** Webhooks with deliveries that were offered until before a moment. */
export async function findExpiredOffers(
  db: Db,
  moment: Date,
): Promise<{ client: string; webhook_config_id: string }[]> {
  const { rows } = await sql<{ client: string; webhook_config_id: string }>`
    select c.client_user_id as client, c.id as webhook_config_id from client_webhook_configs c
    where exists (
      select from webhook_deliveries d where d.webhook_config_id = c.id and ${IS_OFFERED} and d.offered_until < ${moment})
    order by c.id`.execute(db)
  return rows
}
