import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#core/data/database.ts'
import { isOfAnother } from '#core/data/market/sale/ended-assignments.ts'
import { CANCEL_BATCH, IS_OFFERED } from './offered-deliveries.ts'

/**
 * Names the deliveries of a client to cancel: one delivery; those of a lead; all that wait for a configuration; only
 * the offered ones among these, perhaps only those offered until before a moment; those that wait in a replay; those of
 * a lead, or of a configuration, where the two belong to different persons; or all of the client's.
 */
export type Cancellable =
  | { delivery_id: string }
  | { lead_id: string }
  | { of_others: { lead_id: string } | { webhook_config_id: string } }
  | { webhook_config_id: string; offered?: 'all' | Date }
  | { replay_id: string }
  | { everything: true }

/** A cancelled delivery. `is_sending`: its request is under way. It is finished and logged, and no other follows. */
export interface CancelledDelivery {
  delivery_id: string
  is_sending: boolean
}

/**
 * Cancels unfinished deliveries, at most {@link CANCEL_BATCH} at a time, and notes it on the leads' timelines.
 * @param by the user who cancels; null for the system
 */
export async function cancelDeliveries(
  db: Db,
  client: string,
  which: Cancellable,
  by: string | null,
): Promise<CancelledDelivery[]> {
  const { rows } = await sql<CancelledDelivery>`
    with waiting as (
      select d.id from webhook_deliveries d where ${isWaiting(client, which)}
      order by d.id limit ${CANCEL_BATCH} for update
    ), cancelled as (
      -- The lease stays: the sender that holds it may still record its result.
      update webhook_deliveries d
      set state = 'cancelled', next_attempt_at = null, finished_at = now(), cancelled_by = ${by}
      from waiting where d.id = waiting.id
      returning d.id, d.lead_id, d.client_user_id, d.webhook_config_id, d.attempt, d.lease_until
    ), told as (
      insert into events (type, lead_id, client_user_id, data, created_at, enqueued_at, planned_at)
      select 'delivery.cancelled', c.lead_id, c.client_user_id,
        jsonb_build_object('delivery_id', c.id, 'webhook_config_id', c.webhook_config_id, 'attempt', c.attempt + 1,
          'cancelled_by', ${by}::text), now(), now(), now()
      from cancelled c join leads l on l.id = c.lead_id
    )
    select id as delivery_id, coalesce(lease_until > now(), false) as is_sending from cancelled
  `.execute(db)
  return rows
}

/** Cancels all of them, in one transaction with its cause. */
export async function cancelAllDeliveries(
  trx: Db,
  client: string,
  by: string | null,
  which: Cancellable = { everything: true },
): Promise<void> {
  for (let cancelled = CANCEL_BATCH; cancelled === CANCEL_BATCH;)
    cancelled = (await cancelDeliveries(trx, client, which, by)).length
}

/** Counts the deliveries that {@link cancelDeliveries} would cancel in all its batches. */
export async function countCancellable(db: Db, client: string, which: Cancellable): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries d where ${isWaiting(client, which)}
  `.execute(db)
  return rows[0]?.count ?? 0
}

function isWaiting(client: string, which: Cancellable): RawBuilder<unknown> {
  const these =
    'delivery_id' in which
      ? sql`d.id = ${which.delivery_id}`
      : 'of_others' in which
        ? sql`${ofOthers(which.of_others)} and (${isOfAnother(sql`d.lead_id`, sql`d.webhook_config_id`)} or ${IS_FOR_ALL})`
        : 'lead_id' in which
          ? sql`d.lead_id = ${which.lead_id}`
          : 'replay_id' in which
            ? // A retry that the replay only moved forward was planned before it, and continues.
              sql`d.replay_id = ${which.replay_id} and d.resend_of is not null`
            : 'webhook_config_id' in which
              ? sql`d.webhook_config_id = ${which.webhook_config_id} and ${isOffered(which.offered)}`
              : sql`true`
  return sql`${these} and d.client_user_id = ${client} and d.state in ('pending', 'held')`
}

/** SQL on `d`: it tells of something beside the lead, and its configuration has become one person's. */
const IS_FOR_ALL = sql`(d.lead_id = d.event_id and exists (
  select from client_webhook_configs c where c.id = d.webhook_config_id and c.member_user_id is not null))`

function ofOthers(which: { lead_id: string } | { webhook_config_id: string }): RawBuilder<unknown> {
  return 'lead_id' in which
    ? sql`d.lead_id = ${which.lead_id}`
    : sql`d.webhook_config_id = ${which.webhook_config_id}`
}

function isOffered(which: 'all' | Date | undefined): RawBuilder<unknown> {
  if (which === undefined) return sql`true`
  return which === 'all' ? IS_OFFERED : sql`${IS_OFFERED} and d.offered_until < ${which}`
}
