import { sql, type RawBuilder } from 'kysely'
import type { Outcome } from '#core/contract/webhooks/answer-rules.ts'
import type { Db } from '#core/data/database.ts'

/** One attempt that was made, with what follows from it. */
export interface AttemptRecord {
  /** chosen by the sender once, so that recording it twice writes one row */
  log_id: string
  /** when its exchange began; with `processing_time_ms` it tells when the answer was there */
  created_at: Date
  /** what was sent is of the configuration as it was then */
  claimed_at: Date
  delivery_id: string
  lease_token: string
  webhook_config_id: string
  client_user_id: string
  event_id: string
  event_type: string
  lead_id: string
  attempt: number
  /** the delivery's state after this attempt; `pending` means a retry follows */
  state: 'delivered' | 'failed' | 'pending'
  /** seconds until the retry; null when there is none */
  retry_in_seconds: number | null
  response_status: number | null
  processing_time_ms: number
  error_class: string | null
  error_message: string | null
  outcome: Outcome | null
  receiver_id: string | null
  /** set when the endpoint said it is gone: the configuration is switched off with this reason */
  disable_reason: string | null
  remote_address: string | null
  request_url: string
  request_method: string
  request_headers: string
  request_body: string
  response_headers: string | null
  response_body: string | null
  response_truncated: boolean
  timing: string
}

/** `fenced`: the lease had gone to another sender; the attempt is logged, the delivery's state is the other's to write. */
export interface RecordedAttempt {
  fenced: boolean
  next_attempt_at: Date | null
}

/** The batch as rows `t`, so that one statement takes any number. */
function unnested(records: readonly AttemptRecord[]): RawBuilder<unknown> {
  const of = <Key extends keyof AttemptRecord>(key: Key): Array<AttemptRecord[Key]> =>
    records.map((record) => record[key])
  return sql`
    unnest(
      ${of('log_id')}::uuid[], ${of('created_at')}::timestamptz[], ${of('claimed_at')}::timestamptz[], ${of('delivery_id')}::uuid[],
      ${of('lease_token')}::uuid[], ${of('webhook_config_id')}::uuid[], ${of('client_user_id')}::uuid[],
      ${of('event_id')}::uuid[], ${of('event_type')}::text[], ${of('lead_id')}::uuid[], ${of('attempt')}::int[],
      ${of('state')}::text[], ${of('retry_in_seconds')}::float8[], ${of('response_status')}::int[],
      ${of('processing_time_ms')}::int[], ${of('error_class')}::text[], ${of('error_message')}::text[],
      ${of('outcome')}::text[], ${of('receiver_id')}::text[], ${of('disable_reason')}::text[],
      ${of('remote_address')}::text[], ${of('request_url')}::text[], ${of('request_method')}::text[], ${of('request_headers')}::text[], ${of('request_body')}::text[],
      ${of('response_headers')}::text[], ${of('response_body')}::text[], ${of('response_truncated')}::boolean[],
      ${of('timing')}::text[]
    ) as t (log_id, created_at, claimed_at, delivery_id, lease_token, webhook_config_id, client_user_id, event_id, event_type,
      lead_id, attempt, state, retry_in_seconds, response_status, processing_time_ms, error_class, error_message,
      outcome, receiver_id, disable_reason, remote_address, request_url, request_method, request_headers, request_body,
      response_headers, response_body, response_truncated, timing)`
}

const LOG_COLUMNS = sql`
  id, created_at, webhook_config_id, client_user_id, delivery_id, event_id, event_type, lead_id, delivery_status,
  response_status, attempt_number, processing_time_ms, error_class, error_message, outcome, receiver_id, next_attempt_at,
  remote_address, request_url, request_method, response_truncated, timing`
const LOG_VALUES = (receiverId: RawBuilder<unknown>, nextAttemptAt: RawBuilder<unknown>) => sql`
  m.log_id, m.created_at, m.webhook_config_id, m.client_user_id, m.delivery_id, m.event_id, m.event_type, m.lead_id,
  case when m.state = 'delivered' then 'delivered' else 'failed' end, m.response_status, m.attempt,
  m.processing_time_ms, m.error_class, m.error_message, m.outcome, ${receiverId}, ${nextAttemptAt}, m.remote_address,
  m.request_url, m.request_method, m.response_truncated, m.timing`
const BODY_COLUMNS = sql`id, created_at, request_headers, request_body, response_headers, response_body`
const BODY_VALUES = sql`
  m.log_id, m.created_at, m.request_headers, m.request_body, m.response_headers, m.response_body`

/** Only in the batch that needs it, because the others would pay for it as well. */
const SWITCHED_OFF = sql`, switched_off as (
      update client_webhook_configs c
      set is_active = false, disabled_reason = m.reason, disabled_at = now(), updated_at = now()
      from (select webhook_config_id, min(disable_reason) as reason, max(claimed_at) as read_at from made
        where disable_reason is not null group by webhook_config_id) m
      -- Changed since it was read for the request, it may have another address by now.
      where c.id = m.webhook_config_id and c.is_active and c.updated_at <= m.read_at
    )`

/**
 * Writes a batch of attempts in one statement: log rows, the deliveries' new state, the timeline, and configurations that
 * are to be switched off. Safe to run twice. Answers in the order given.
 */
export async function recordAttempts(db: Db, records: readonly AttemptRecord[]): Promise<RecordedAttempt[]> {
  const switchesOff = records.some(({ disable_reason: reason }) => reason !== null)
  // What was made travels whole from step to step: joined again at each, a batch would be searched for each of its rows.
  const { rows } = await sql<{ log_id: string; next_attempt_at: Date | null }>`
    with made as (
      select *, case when state = 'pending' then now() + make_interval(secs => retry_in_seconds) end as retry_at
      from ${unnested(records)}
    ), locked as (
      -- By the attempt, not the delivery: a batch may also hold an attempt of the same delivery that lost its lease.
      select m.*, d.state = 'cancelled' as was_cancelled, d.finished_at
      from webhook_deliveries d join made m on m.delivery_id = d.id and m.lease_token = d.lease_token
      order by d.id for update of d
    ), settled as (
      update webhook_deliveries d
      -- Cancelled while its request was under way: it stays cancelled, unless that request has delivered it after all.
      set state = case when m.was_cancelled and m.state <> 'delivered' then 'cancelled' else m.state end,
        attempt = m.attempt,
        next_attempt_at = case when not m.was_cancelled then m.retry_at end,
        finished_at = case when m.state <> 'pending' then now() when m.was_cancelled then m.finished_at end,
        lease_token = null, lease_until = null, own_failures = 0,
        outcome = m.outcome, receiver_id = m.receiver_id,
        failure_class = case when m.state = 'failed' then m.error_class end
      from locked m where d.id = m.delivery_id
      returning m.*, d.state as settled_as, d.next_attempt_at
    ), logged as (
      -- A lease is settled once, so these rows cannot be there yet; attempts that lost theirs follow below.
      insert into webhook_delivery_logs (${LOG_COLUMNS})
      select ${LOG_VALUES(sql`m.receiver_id`, sql`m.next_attempt_at`)} from settled m
    ), kept as (
      insert into webhook_delivery_log_bodies (${BODY_COLUMNS}) select ${BODY_VALUES} from settled m
    ), told as (
      insert into events (type, lead_id, client_user_id, data, created_at, enqueued_at, planned_at)
      select case m.state when 'delivered' then 'delivery.succeeded' else 'delivery.failed' end, m.lead_id,
        m.client_user_id, jsonb_build_object('delivery_id', m.delivery_id, 'webhook_config_id', m.webhook_config_id,
          'attempt', m.attempt, 'reason', m.error_class, 'outcome', m.outcome), now(), now(), now()
      from settled m join leads l on l.id = m.lead_id
      where m.settled_as in ('delivered', 'failed')
    )${switchesOff ? SWITCHED_OFF : sql``}
    select log_id, next_attempt_at from settled
  `.execute(db)
  const settled = new Map(rows.map((row) => [row.log_id, row]))
  const fenced = records.filter(({ log_id: id }) => !settled.has(id))
  if (fenced.length > 0) await logFenced(db, fenced)
  return records.map(({ log_id: id }) => ({
    fenced: !settled.has(id),
    next_attempt_at: settled.get(id)?.next_attempt_at ?? null,
  }))
}

/**
 * Logs attempts that lost their lease: to another sender, or to the erasure of their lead. Only a statement that begins
 * after that can tell, and the lead's row is held so that an erasure comes before all of it or after.
 */
async function logFenced(db: Db, records: readonly AttemptRecord[]): Promise<void> {
  await sql`
    with made as (
      select * from ${unnested(records)}
    ), lead as (
      select id from leads where id in (select lead_id from made) and redacted_at is null order by id for share
    ), logged as (
      insert into webhook_delivery_logs (${LOG_COLUMNS})
      select ${LOG_VALUES(sql`case when lead.id is not null then m.receiver_id end`, sql`null::timestamptz`)}
      from made m left join lead on lead.id = m.lead_id
      on conflict do nothing
    )
    insert into webhook_delivery_log_bodies (${BODY_COLUMNS})
    select ${BODY_VALUES} from made m join lead on lead.id = m.lead_id
    on conflict do nothing
  `.execute(db)
}
