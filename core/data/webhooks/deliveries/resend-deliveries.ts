import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#core/data/database.ts'
import { hasEnded, IS_REVOKED, isOfAnother } from '#core/data/market/sale/ended-assignments.ts'
import { LOST_WHEN_RESENT } from './lone-deliveries.ts'
import type { DueDelivery } from './plan-deliveries.ts'

/**
 * Makes a new delivery of the same event to the same configuration. The original stays as it is.
 * @param id the new delivery's id
 * @returns undefined if the configuration is gone, the delivery is not this client's, its lead was given back or revoked,
 * or the configuration belongs to another person than the lead
 */
export async function insertResend(
  db: Db,
  client: string,
  originalId: string,
  id: string,
): Promise<DueDelivery | undefined> {
  const { rows } = await sql<DueDelivery>`
    with lead as materialized (
      select l.id from leads l where l.id = (select lead_id from webhook_deliveries where id = ${originalId}) for share
    )
    insert into webhook_deliveries (id, event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of, lost_leases)
    select ${id}, d.event_id, d.event_type, d.webhook_config_id, d.client_user_id, d.lead_id, d.id, ${LOST_WHEN_RESENT}
    from webhook_deliveries d
    where d.id = ${originalId} and d.client_user_id = ${client} and not ${hasEnded(sql`d.lead_id`, sql`d.client_user_id`)}
      and not ${IS_REVOKED}
      and not ${isOfAnother(sql`d.lead_id`, sql`d.webhook_config_id`)}
      -- An event beside the lead has no lead to lock.
      and (d.lead_id = d.event_id or d.lead_id in (select id from lead))
    returning id as delivery_id, webhook_config_id, client_user_id, 1 as attempt, turn
  `.execute(db)
  return rows[0]
}

/**
 * SQL: another delivery of the same event to the same configuration is not finished yet. Written so that no partial
 * index answers it: the index of waiting deliveries would read everything that its configuration waits for.
 * @param of the row in question, with `event_id` and `webhook_config_id`
 * @param deliveryId SQL of its own delivery's id
 */
export const isSentAgain = (
  of: 'd' | 'r',
  deliveryId: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`exists (
  select from webhook_deliveries other
  where other.event_id = ${sql.ref(`${of}.event_id`)} and other.webhook_config_id = ${sql.ref(`${of}.webhook_config_id`)}
    and other.id <> ${deliveryId} and case other.state when 'pending' then true when 'held' then true else false end)`

/**
 * Waits for concurrent returns of the lead and resends to the same configuration, then tells whether another delivery
 * of this event to it is unfinished. To be run in the transaction that then resends it.
 */
export async function lockForResend(trx: Db, client: string, originalId: string): Promise<boolean> {
  await sql`
    select from leads where id = (
      select lead_id from webhook_deliveries where id = ${originalId} and client_user_id = ${client})
    for share`.execute(trx)
  // These are separate statements, so that the next one sees the other caller's commit.
  await sql`
    select from client_webhook_configs where id = (
      select webhook_config_id from webhook_deliveries where id = ${originalId} and client_user_id = ${client})
    for no key update`.execute(trx)
  const { rows } = await sql<{ is_sent_again: boolean }>`
    select ${isSentAgain('d', sql`d.id`)} as is_sent_again from webhook_deliveries d where d.id = ${originalId}
  `.execute(trx)
  return rows[0]?.is_sent_again ?? false
}

/** SQL on `d`: a retry is planned, and not under way. */
export const IS_PLANNED_RETRY = sql`
  d.state = 'pending' and d.attempt > 0 and d.next_attempt_at > now() and (d.lease_until is null or d.lease_until < now())`

const HURRIED_AT_ONCE = 1000

/**
 * Moves a planned retry to this moment. It stays the same attempt of the same delivery, so nothing is sent twice.
 * @returns undefined if no retry is planned, or it is under way
 */
export async function hurryRetry(
  db: Db,
  client: string,
  deliveryId: string,
): Promise<DueDelivery | undefined> {
  const { rows } = await sql<DueDelivery>`
    update webhook_deliveries d set next_attempt_at = now()
    where d.id = ${deliveryId} and d.client_user_id = ${client} and ${IS_PLANNED_RETRY}
    returning d.id as delivery_id, d.webhook_config_id, d.client_user_id, d.attempt + 1 as attempt, d.turn
  `.execute(db)
  return rows[0]
}

/**
 * Makes one held delivery due now, offered or not; others that are held stay so.
 * @returns undefined if it is not held any more, or its endpoint does not answer
 */
export async function releaseHeldDelivery(
  db: Db,
  client: string,
  deliveryId: string,
): Promise<DueDelivery | undefined> {
  const { rows } = await sql<DueDelivery>`
    update webhook_deliveries d set state = 'pending', next_attempt_at = now(), offered_until = null
    where d.id = ${deliveryId} and d.client_user_id = ${client} and d.state = 'held' and not exists (
      select from webhook_endpoint_health h where h.webhook_config_id = d.webhook_config_id and h.breaker = 'open')
    returning d.id as delivery_id, d.webhook_config_id, d.client_user_id, d.attempt + 1 as attempt, d.turn
  `.execute(db)
  return rows[0]
}

/** Makes the oldest planned retries of a configuration due now, as many as one burst may hold. */
export async function hurryRetriesOf(db: Db, webhookConfigId: string): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    update webhook_deliveries set next_attempt_at = now()
    where id in (
      select d.id from webhook_deliveries d
      where ${IS_PLANNED_RETRY} and d.id in (
        select d.id from webhook_deliveries d
        where d.webhook_config_id = ${webhookConfigId} and ${IS_PLANNED_RETRY}
        order by d.created_at limit ${HURRIED_AT_ONCE})
      order by d.id for update of d skip locked)
    returning id as delivery_id, webhook_config_id, client_user_id, attempt + 1 as attempt, turn
  `.execute(db)
  return rows
}
