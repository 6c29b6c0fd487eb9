import { sql } from 'kysely'
import type { Db } from './database.ts'

/** One attempt that was made, with what follows from it. */
export interface AttemptRecord {
  /** chosen by the sender once, so that recording it twice writes one row */
  log_id: string
  created_at: Date
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

/**
 * Writes a batch of attempts in one statement: log rows, the deliveries' new state, the timeline, and configurations that
 * are to be switched off. Safe to run twice. Answers in the order given.
 */
export async function recordAttempts(db: Db, records: readonly AttemptRecord[]): Promise<RecordedAttempt[]> {
  const of = <Key extends keyof AttemptRecord>(key: Key): Array<AttemptRecord[Key]> =>
    records.map((record) => record[key])
  const { rows } = await sql<{ log_id: string; fenced: boolean; next_attempt_at: Date | null }>`
    with made as (
      select *, case when state = 'pending' then now() + make_interval(secs => retry_in_seconds) end as next_attempt_at
      from unnest(
        ${of('log_id')}::uuid[], ${of('created_at')}::timestamptz[], ${of('delivery_id')}::uuid[],
        ${of('lease_token')}::uuid[], ${of('webhook_config_id')}::uuid[], ${of('client_user_id')}::uuid[],
        ${of('event_id')}::uuid[], ${of('event_type')}::text[], ${of('lead_id')}::uuid[], ${of('attempt')}::int[],
        ${of('state')}::text[], ${of('retry_in_seconds')}::float8[], ${of('response_status')}::int[],
        ${of('processing_time_ms')}::int[], ${of('error_class')}::text[], ${of('error_message')}::text[],
        ${of('disable_reason')}::text[], ${of('remote_address')}::text[], ${of('request_url')}::text[],
        ${of('request_method')}::text[], ${of('request_headers')}::text[], ${of('request_body')}::text[],
        ${of('response_headers')}::text[], ${of('response_body')}::text[], ${of('response_truncated')}::boolean[],
        ${of('timing')}::text[]
      ) as t (log_id, created_at, delivery_id, lease_token, webhook_config_id, client_user_id, event_id, event_type,
        lead_id, attempt, state, retry_in_seconds, response_status, processing_time_ms, error_class, error_message,
        disable_reason, remote_address, request_url, request_method, request_headers, request_body, response_headers,
        response_body, response_truncated, timing)
    ), locked as (
      -- By the attempt, not the delivery: a batch may also hold an attempt of the same delivery that lost its lease.
      select d.id, m.log_id from webhook_deliveries d join made m on m.delivery_id = d.id and m.lease_token = d.lease_token
      order by d.id for update of d
    ), settled as (
      update webhook_deliveries d
      set state = m.state, attempt = m.attempt, next_attempt_at = m.next_attempt_at,
        finished_at = case when m.state <> 'pending' then now() end, lease_token = null, lease_until = null
      from made m join locked on locked.log_id = m.log_id where d.id = locked.id
      returning m.log_id
    ), logged as (
      insert into webhook_delivery_logs (id, created_at, webhook_config_id, client_user_id, delivery_id, event_id,
        event_type, lead_id, delivery_status, response_status, attempt_number, processing_time_ms, error_class,
        error_message, next_attempt_at, remote_address, request_url, request_method, request_headers, request_body,
        response_headers, response_body, response_truncated, timing)
      select m.log_id, m.created_at, m.webhook_config_id, m.client_user_id, m.delivery_id, m.event_id,
        m.event_type, m.lead_id, case when m.state = 'delivered' then 'delivered' else 'failed' end, m.response_status,
        m.attempt, m.processing_time_ms, m.error_class, m.error_message,
        case when settled.log_id is not null then m.next_attempt_at end, m.remote_address, m.request_url, m.request_method,
        m.request_headers, m.request_body, m.response_headers, m.response_body, m.response_truncated, m.timing
      from made m left join settled on settled.log_id = m.log_id
      on conflict do nothing
    ), told as (
      insert into events (type, lead_id, client_user_id, data, created_at, enqueued_at, planned_at)
      select case m.state when 'delivered' then 'delivery.succeeded' else 'delivery.failed' end, m.lead_id,
        m.client_user_id, jsonb_build_object('delivery_id', m.delivery_id, 'webhook_config_id', m.webhook_config_id,
          'attempt', m.attempt, 'reason', m.error_class), now(), now(), now()
      from made m join settled on settled.log_id = m.log_id
      join leads l on l.id = m.lead_id
      where m.state <> 'pending'
    ), switched_off as (
      update client_webhook_configs c
      set is_active = false, disabled_reason = m.reason, disabled_at = now(), updated_at = now()
      from (select webhook_config_id, min(disable_reason) as reason from made
        where disable_reason is not null group by webhook_config_id) m
      where c.id = m.webhook_config_id and c.is_active
    )
    select m.log_id, settled.log_id is null as fenced, m.next_attempt_at
    from made m left join settled on settled.log_id = m.log_id
  `.execute(db)
  const byId = new Map(rows.map((row) => [row.log_id, row]))
  return records.map(({ log_id: id }) => {
    const row = byId.get(id)
    return {
      fenced: row?.fenced ?? true,
      next_attempt_at: row?.fenced === false ? row.next_attempt_at : null,
    }
  })
}
