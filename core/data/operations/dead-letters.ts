import { sql, type RawBuilder } from 'kysely'
import {
  DEAD_LETTERS_COUNTED,
  type DeadLetter,
  type DeadLetterFilter,
  type DeadLetterSummary,
  type RedriveResult,
} from '#core/contract/operations/dead-letter.ts'
import { clientName } from '../accounts/named-client.ts'
import type { Db } from '../database.ts'
import { hasEnded, IS_REVOKED, isOfAnother } from '../market/sale/ended-assignments.ts'
import { hostOf } from '../webhooks/endpoint-host.ts'
import { POSITION_FORMAT, type PagePosition } from '../page.ts'
import { leadOf } from '../webhooks/logs/told-lead.ts'
import { LOST_WHEN_RESENT } from '../webhooks/deliveries/lone-deliveries.ts'
import type { DueDelivery } from '../webhooks/deliveries/plan-deliveries.ts'
import { REPLAY_PIECE, type ReplayPiece, type ReplayPlace } from '../webhooks/deliveries/replay-pieces.ts'

/** Some dead letters by their ids, or all that a filter matches. */
export type DeadLetterChoice = { ids: readonly string[] } | { filter: DeadLetterFilter }

/** SQL on `d`: triggers have not noted that it is no dead letter any more. An index holds exactly these. */
export const IS_UNSETTLED = sql`d.state = 'failed' and d.settled_at is null`

/**
 * SQL on `d`: it finally failed, and was not sent again, unless the resend was cancelled. An erased lead has nothing
 * left to send, and a returned or revoked lead is not sent to its client again. Triggers note the same as IS_UNSETTLED,
 * which is enough to count. Before a dead letter is shown or sent again, all of this is checked.
 */
export const IS_DEAD = sql`
  ${IS_UNSETTLED}
  and not exists (select from webhook_deliveries r where r.resend_of = d.id and r.state <> 'cancelled')
  and not exists (select from leads l where l.id = d.lead_id and l.redacted_at is not null)
  and not ${hasEnded(sql`d.lead_id`, sql`d.client_user_id`)}
  and not ${IS_REVOKED}
  and not ${isOfAnother(sql`d.lead_id`, sql`d.webhook_config_id`)}`

function matches(choice: DeadLetterChoice): RawBuilder<unknown> {
  if ('ids' in choice) return sql`d.id = any(${[...choice.ids]}::uuid[])`
  const { reason, client, webhook, since, until } = choice.filter
  return sql`${reason === undefined ? sql`true` : sql`d.failure_class = ${reason}`}
    and ${client === undefined ? sql`true` : sql`d.client_user_id = ${client}`}
    and ${webhook === undefined ? sql`true` : sql`d.webhook_config_id = ${webhook}`}
    and ${since === undefined ? sql`true` : sql`d.finished_at >= ${since}`}
    and ${until === undefined ? sql`true` : sql`d.finished_at < ${until}`}`
}

type Row = Omit<DeadLetter, 'failed_at' | 'endpoint_host' | 'client'> & {
  failed_at: Date
  endpoint_url: string
  client_user_id: string
  client_name: string
  client_email: string
  position: string
}

/** A page of dead letters of all clients, newest first, with one row more than `limit` if there are more. */
export async function listDeadLetters(
  db: Db,
  filter: DeadLetterFilter,
  page: { limit: number; after: PagePosition | undefined },
): Promise<Array<DeadLetter & { position: string }>> {
  const { after } = page
  const { rows } = await sql<Row>`
    select d.id, d.finished_at as failed_at, d.attempt as attempts, d.failure_class as reason, g.error_message as message,
      c.endpoint_url, d.webhook_config_id, c.webhook_name, c.is_active, d.client_user_id, ${clientName('p')} as client_name,
      p.email::text as client_email, ${leadOf('d')} as lead_id, d.event_id, d.event_type,
      to_char(d.finished_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)}) as position
    from (
      select * from webhook_deliveries d
      where ${IS_DEAD} and ${matches({ filter })}
        and ${after === undefined ? sql`true` : sql`(d.finished_at, d.id) < (${after.at}::timestamptz, ${after.id}::uuid)`}
      order by d.finished_at desc, d.id desc limit ${page.limit + 1}
    ) d
    join client_webhook_configs c on c.id = d.webhook_config_id
    join profiles p on p.user_id = d.client_user_id
    left join lateral (
      select g.error_message from webhook_delivery_logs g
      where g.lead_id = d.lead_id and g.delivery_id = d.id and g.attempt_number = d.attempt
        -- An attempt begins at most an exchange before its delivery ends; the rest of the log is not looked at.
        and g.created_at between d.finished_at - interval '1 hour' and d.finished_at
      order by g.created_at desc limit 1
    ) g on true
    order by d.finished_at desc, d.id desc
  `.execute(db)
  return rows.map(({ failed_at, endpoint_url, client_user_id, client_name, client_email, ...row }) => ({
    ...row,
    failed_at: failed_at.toISOString(),
    endpoint_host: hostOf(endpoint_url),
    client: { user_id: client_user_id, name: client_name, email: client_email },
  }))
}

/** Counts dead letters by reason and by client, the largest numbers first. */
export async function summariseDeadLetters(
  db: Db,
): Promise<Pick<DeadLetterSummary, 'total' | 'reasons' | 'clients'>> {
  const { rows } = await sql<{
    total: number
    reasons: DeadLetterSummary['reasons'] | null
    clients: DeadLetterSummary['clients'] | null
  }>`
    with dead as materialized (
      select d.failure_class, d.client_user_id from webhook_deliveries d where ${IS_DEAD} limit ${DEAD_LETTERS_COUNTED}
    ), by_reason as (
      select failure_class, count(*)::int as count from dead group by failure_class
    ), by_client as (
      select p.user_id, ${clientName('p')} as name, p.email::text, dead_of.count
      from (select client_user_id, count(*)::int as count from dead group by client_user_id) dead_of
      join profiles p on p.user_id = dead_of.client_user_id
    )
    select (select count(*)::int from dead) as total,
      (select jsonb_agg(jsonb_build_object('reason', failure_class, 'count', count) order by count desc, failure_class)
        from by_reason) as reasons,
      (select jsonb_agg(to_jsonb(by_client) order by count desc, email) from by_client) as clients
  `.execute(db)
  const [row] = rows
  return { total: row?.total ?? 0, reasons: row?.reasons ?? [], clients: row?.clients ?? [] }
}

/** Counts the deliveries that a redrive would make. Those of clients whose sending is paused do not count. */
export async function countRedrivable(db: Db, choice: DeadLetterChoice): Promise<RedriveResult> {
  const { rows } = await sql<RedriveResult>`
    select count(*) filter (where found.is_active)::int as count,
      count(*) filter (where not found.is_active)::int as switched_off
    from (
      select c.is_active from webhook_deliveries d join client_webhook_configs c on c.id = d.webhook_config_id
      where ${IS_DEAD} and c.sending_pause_reason is null and ${matches(choice)} limit ${DEAD_LETTERS_COUNTED}
    ) found
  `.execute(db)
  return rows[0] ?? { count: 0, switched_off: 0 }
}

/** Counts the clients that have such dead letters and whose sending is paused. */
export async function countPausedClients(db: Db, choice: DeadLetterChoice): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct d.client_user_id)::int as count
    from webhook_deliveries d join client_webhook_configs c on c.id = d.webhook_config_id
    where ${IS_DEAD} and c.sending_pause_reason is not null and ${matches(choice)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Counts the deliveries that a redrive has made. */
export async function countRedriven(db: Db, redriveId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries where replay_id = ${redriveId}`.execute(db)
  return rows[0]?.count ?? 0
}

const NEWEST: ReplayPlace = { finished_at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** The place at which a redrive was interrupted; undefined if it has made nothing. */
export async function findRedrivePlace(db: Db, redriveId: string): Promise<ReplayPlace | undefined> {
  const { rows } = await sql<ReplayPlace>`
    select d.finished_at::text, d.id from webhook_deliveries r join webhook_deliveries d on d.id = r.resend_of
    where r.replay_id = ${redriveId} order by d.finished_at, d.id limit 1`.execute(db)
  return rows[0]
}

/**
 * Makes a new delivery for each of the newest dead letters of webhooks that are on and whose client's sending is not
 * paused, and notes on the lead's timeline who did. To be run in a transaction. Two concurrent calls do not both resend a dead letter. An erasure or return of
 * one of these leads comes before this, or finds its deliveries. Nobody waits for resends, so they have a lower
 * priority, in rounds of 50 for each client.
 * @param redrive.id under which the deliveries of all its batches can be counted
 * @param after the end of the batch before: later failures are newer
 */
export async function redrivePiece(
  trx: Db,
  choice: DeadLetterChoice,
  redrive: { id: string; administrator: string; most: number },
  after = NEWEST,
): Promise<ReplayPiece> {
  const most = Math.min(REPLAY_PIECE, redrive.most)
  const { rows: candidates } = await sql<ReplayPlace & { lead_id: string; webhook_config_id: string }>`
    select d.id, d.finished_at::text, d.lead_id, d.webhook_config_id
    from webhook_deliveries d join client_webhook_configs c on c.id = d.webhook_config_id
      and c.is_active and c.sending_pause_reason is null
    where ${IS_DEAD} and ${matches(choice)}
      and (d.finished_at, d.id) < (${after.finished_at}::timestamptz, ${after.id}::uuid)
    order by d.finished_at desc, d.id desc limit ${most}`.execute(trx)
  await sql`
    select from leads where id = any(${candidates.map((one) => one.lead_id)}::uuid[]) order by id for share`.execute(
    trx,
  )
  // The locks of the configurations' rows put concurrent callers in order, including clients' resends.
  const { rows: configs } = await sql<{ id: string }>`
    select id from client_webhook_configs
    where is_active and sending_pause_reason is null and id = any(${candidates.map((one) => one.webhook_config_id)}::uuid[])
    order by id for no key update`.execute(trx)
  const { rows: due } = await sql<DueDelivery>`
    with before as (
      select client_user_id, count(*) as made from webhook_deliveries where replay_id = ${redrive.id}::uuid group by client_user_id
    ), dead as (
      select d.*, coalesce(before.made, 0) as made from webhook_deliveries d left join before using (client_user_id)
      where ${IS_DEAD} and d.id = any(${candidates.map(({ id }) => id)}::uuid[])
        and d.webhook_config_id = any(${configs.map(({ id }) => id)}::uuid[])
    ), made as (
      -- In rounds of 50 for each client, so that one with many keeps nobody waiting (core/fairness/priorities.ts).
      insert into webhook_deliveries
        (event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of, replay_id, replay_attempt, lost_leases,
        turn)
      select event_id, event_type, webhook_config_id, client_user_id, lead_id, id, ${redrive.id}::uuid, 0, ${LOST_WHEN_RESENT},
        1 + (made + row_number() over (partition by client_user_id order by finished_at desc, id desc) - 1) / 50
      from dead d
      returning id, webhook_config_id, client_user_id, lead_id, resend_of, turn
    ), told as (
      insert into events (type, lead_id, client_user_id, data, enqueued_at, planned_at)
      select 'delivery.redriven', lead_id, client_user_id, jsonb_build_object('delivery_id', id, 'resend_of', resend_of,
        'webhook_config_id', webhook_config_id, 'by', ${redrive.administrator}::text), now(), now()
      from made
    )
    select id as delivery_id, webhook_config_id, client_user_id, 1 as attempt, turn from made
  `.execute(trx)
  return { due, next: candidates.length < most ? undefined : candidates.at(-1) }
}
