import { sql, type RawBuilder } from 'kysely'
import { RESEND_LIMIT } from '#core/contract/webhooks/resend.ts'
import type { Db } from '#core/data/database.ts'
import { hasEnded, IS_REVOKED, isOfAnother } from '#core/data/market/sale/ended-assignments.ts'
import { LOST_WHEN_RESENT } from './lone-deliveries.ts'
import type { DueDelivery } from './plan-deliveries.ts'
import { IS_PLANNED_RETRY, isSentAgain } from './resend-deliveries.ts'

/** The configuration whose failures are sent again, and since when. */
export interface FailedSince {
  client: string
  webhook_config_id: string
  since: Date
}

/** Number of deliveries that are written together; a caller that replays many rests between two batches. */
export const REPLAY_PIECE = 500

// A delivery that was resent already does not count; its resend does, unless that was cancelled. An erased lead has
// nothing left to send. A returned or revoked lead may not be sent, nor may one of another person than its configuration.
const finallyFailed = ({ client, webhook_config_id, since }: FailedSince): RawBuilder<unknown> => sql`
  select d.id, d.event_id, d.event_type, d.webhook_config_id, d.client_user_id, d.lead_id, d.finished_at,
    ${LOST_WHEN_RESENT} as lost_leases
  from webhook_deliveries d
  where d.state = 'failed' and d.webhook_config_id = ${webhook_config_id} and d.finished_at >= ${since}
    and d.client_user_id = ${client}
    and not exists (select from webhook_deliveries r where r.resend_of = d.id and r.state <> 'cancelled')
    and not ${isSentAgain('d', sql`d.id`)}
    and not exists (select from leads l where l.id = d.lead_id and l.redacted_at is not null)
    and not ${hasEnded(sql`d.lead_id`, sql`d.client_user_id`)}
    and not ${IS_REVOKED}
    and not ${isOfAnother(sql`d.lead_id`, sql`d.webhook_config_id`)}`

// A retry that is held, because the endpoint stopped answering, counts like a planned one.
const failedAndRetried = (
  { client, webhook_config_id, since }: FailedSince,
  until: RawBuilder<unknown> = sql`now()`,
): RawBuilder<unknown> => sql`
  select d.id from webhook_deliveries d
  where (${IS_PLANNED_RETRY} or d.state = 'held' and d.attempt > 0) and d.webhook_config_id = ${webhook_config_id} and d.client_user_id = ${client}
    and exists (
      select from webhook_delivery_logs g
      where g.lead_id = d.lead_id and g.delivery_id = d.id and g.created_at >= ${since} and g.created_at <= ${until})`

/** Number of deliveries that a replay would send, `hurried` of them by an earlier retry. */
export async function countFailed(db: Db, what: FailedSince): Promise<{ resent: number; hurried: number }> {
  const { rows } = await sql<{ resent: number; hurried: number }>`
    select (select count(*)::int from (${finallyFailed(what)} limit ${RESEND_LIMIT}) failed) as resent,
      (select count(*)::int from (${failedAndRetried(what)} limit ${RESEND_LIMIT}) retried) as hurried
  `.execute(db)
  return rows[0] ?? { resent: 0, hurried: 0 }
}

/** SQL: later failures are not part of the replay, even if a repeat continues it long after. */
const beganAt = (replayId: string): RawBuilder<unknown> =>
  sql`(select created_at from webhook_replays where id = ${replayId})`

/**
 * The position of a replay: its next batch looks for failures after this; that of an administrator's redrive looks for
 * failures before it.
 */
export interface ReplayPlace {
  finished_at: string
  id: string
}

/**
 * The deliveries that a batch of a replay has started; `next` is undefined if nothing is left, or it may not continue.
 */
export interface ReplayPiece {
  due: DueDelivery[]
  next: ReplayPlace | undefined
}

const BEGINNING: ReplayPlace = { finished_at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/**
 * Makes new deliveries for the next finally failed ones, as part of a replay. To be run in a transaction. Two
 * concurrent calls do not both resend a delivery. Nobody waits for resends, so they have a lower priority, in rounds
 * of 50. It stops at RESEND_LIMIT, and once the replay was stopped or its configuration switched off. Its new deliveries
 * may have failed again meanwhile, so it reads only those that had failed when it began.
 * @param after the end of the batch before
 */
export async function resendPiece(
  trx: Db,
  replayId: string,
  what: FailedSince,
  after = BEGINNING,
): Promise<ReplayPiece> {
  const { rows: candidates } = await sql<ReplayPlace & { lead_id: string }>`
    select failed.id, failed.finished_at::text, failed.lead_id from (${finallyFailed(what)}) failed
    where (failed.finished_at, failed.id) > (${after.finished_at}::timestamptz, ${after.id}::uuid)
      and failed.finished_at <= ${beganAt(replayId)}
      and not exists (select from webhook_deliveries r where r.resend_of = failed.id and r.replay_id = ${replayId})
    order by failed.finished_at, failed.id limit ${REPLAY_PIECE}`.execute(trx)
  // An erasure or return of one of these leads comes before this, or finds its deliveries.
  await sql`
    select from leads where id = any(${candidates.map((one) => one.lead_id)}::uuid[]) order by id for share`.execute(
    trx,
  )
  const place = await lockReplay(trx, replayId, what.webhook_config_id)
  if (place === undefined) return { due: [], next: undefined }
  const room = RESEND_LIMIT - place.resent
  const { rows: due } = await sql<DueDelivery>`
    with made as (
      insert into webhook_deliveries
        (event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of, replay_id,
         replay_attempt, lost_leases, turn)
      select event_id, event_type, webhook_config_id, client_user_id, lead_id, id, ${replayId}, 0, lost_leases,
        1 + (${place.resent}::int + row_number() over (order by finished_at, id) - 1) / 50
      from (${finallyFailed(what)}) failed
      where id = any(${candidates.map(({ id }) => id)}::uuid[])
      order by finished_at, id limit ${room}
      returning id as delivery_id, webhook_config_id, client_user_id, 1 as attempt, turn
    ), counted as (
      update webhook_replays set resent = resent + (select count(*) from made) where id = ${replayId}
    )
    select * from made
  `.execute(trx)
  const last = candidates.length < REPLAY_PIECE || due.length >= room ? undefined : candidates.at(-1)
  return { due, next: last }
}

/**
 * Moves the next planned retries of failed deliveries to this moment, with the same rules as {@link resendPiece}; held
 * ones are only counted.
 */
export async function hurryPiece(
  trx: Db,
  replayId: string,
  what: FailedSince,
  after = BEGINNING,
): Promise<ReplayPiece> {
  const place = await lockReplay(trx, replayId, what.webhook_config_id)
  if (place === undefined) return { due: [], next: undefined }
  const most = Math.min(REPLAY_PIECE, RESEND_LIMIT - place.hurried)
  const { rows: due } = await sql<DueDelivery>`
    with moved as (
      update webhook_deliveries d
      set next_attempt_at = case d.state when 'pending' then now() else d.next_attempt_at end,
        replay_id = ${replayId}, replay_attempt = d.attempt
      where d.id in (
        ${failedAndRetried(what, beganAt(replayId))} and d.id > ${after.id}::uuid and d.replay_id is distinct from ${replayId}
        order by d.id limit ${most} for update of d skip locked)
      returning d.id as delivery_id, d.webhook_config_id, d.client_user_id, d.attempt + 1 as attempt, d.turn
    ), counted as (
      update webhook_replays set hurried = hurried + (select count(*) from moved) where id = ${replayId}
    )
    select * from moved
  `.execute(trx)
  const id = due.reduce((last, { delivery_id }) => (delivery_id > last ? delivery_id : last), BEGINNING.id)
  return { due, next: due.length < most || most < REPLAY_PIECE ? undefined : { ...BEGINNING, id } }
}

/**
 * The lock of the configuration's row puts concurrent callers in order.
 * @returns the number of deliveries that the replay has started; undefined if it may not continue
 */
export async function lockReplay(
  trx: Db,
  replayId: string,
  webhookConfigId: string,
): Promise<{ resent: number; hurried: number } | undefined> {
  const { rows } = await sql<{ resent: number; hurried: number }>`
    select r.resent, r.hurried from client_webhook_configs c join webhook_replays r on r.webhook_config_id = c.id
    where r.id = ${replayId} and c.id = ${webhookConfigId} and c.is_active and r.cancelled_at is null
    for no key update of c for update of r`.execute(trx)
  return rows[0]
}
