import { sql, type RawBuilder } from 'kysely'
import {
  booleanArray,
  floatArray,
  intArray,
  momentArray,
  textArray,
  uuidArray,
} from '#core/data/binary-arrays.ts'
import type { Outcome } from '#core/contract/webhooks/answer-rules.ts'

/** One attempt that was made, with what follows from it. */
export interface AttemptRecord {
  /** chosen by the sender once, so that recording it twice writes one row */
  log_id: string
  /** when its exchange began; with `processing_time_ms` it tells when the answer was there */
  created_at: Date
  /** what was sent is of the configuration as it was then */
  claimed_at: Date
  /** which version of it that was */
  config_version: string
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
  /** what holds in place of the above where the configuration has been changed since; null where that makes no difference */
  if_changed: Pick<AttemptRecord, 'state' | 'retry_in_seconds' | 'error_message' | 'disable_reason'> | null
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

/** The batch as rows `t`, so that one statement takes any number. */
export function unnested(records: readonly AttemptRecord[]): RawBuilder<unknown> {
  const of = <Key extends keyof AttemptRecord>(key: Key): Array<AttemptRecord[Key]> =>
    records.map((record) => record[key])
  return sql`
    unnest(
      ${uuidArray(of('log_id'))}::uuid[], ${momentArray(of('created_at'))}::timestamptz[], ${momentArray(of('claimed_at'))}::timestamptz[], ${uuidArray(of('delivery_id'))}::uuid[],
      ${uuidArray(of('lease_token'))}::uuid[], ${uuidArray(of('webhook_config_id'))}::uuid[], ${uuidArray(of('client_user_id'))}::uuid[],
      ${uuidArray(of('event_id'))}::uuid[], ${textArray(of('event_type'))}::text[], ${uuidArray(of('lead_id'))}::uuid[], ${intArray(of('attempt'))}::int[],
      ${textArray(of('state'))}::text[], ${floatArray(of('retry_in_seconds'))}::float8[], ${intArray(of('response_status'))}::int[],
      ${intArray(of('processing_time_ms'))}::int[], ${textArray(of('error_class'))}::text[], ${textArray(of('error_message'))}::text[],
      ${textArray(of('outcome'))}::text[], ${textArray(of('receiver_id'))}::text[], ${textArray(of('disable_reason'))}::text[],
      ${textArray(of('remote_address'))}::text[], ${textArray(of('request_url'))}::text[], ${textArray(of('request_method'))}::text[], ${textArray(of('request_headers'))}::text[], ${textArray(of('request_body'))}::text[],
      ${textArray(of('response_headers'))}::text[], ${textArray(of('response_body'))}::text[], ${booleanArray(of('response_truncated'))}::boolean[],
      ${textArray(of('timing'))}::text[]
    ) as t (log_id, created_at, claimed_at, delivery_id, lease_token, webhook_config_id, client_user_id, event_id, event_type,
      lead_id, attempt, state, retry_in_seconds, response_status, processing_time_ms, error_class, error_message,
      outcome, receiver_id, disable_reason, remote_address, request_url, request_method, request_headers, request_body,
      response_headers, response_body, response_truncated, timing)`
}

export const LOG_COLUMNS = sql`
  id, created_at, webhook_config_id, client_user_id, delivery_id, event_id, event_type, lead_id, delivery_status,
  response_status, attempt_number, processing_time_ms, error_class, error_message, outcome, receiver_id, next_attempt_at,
  remote_address, request_url, request_method, response_truncated, timing`
export const LOG_VALUES = (receiverId: RawBuilder<unknown>, nextAttemptAt: RawBuilder<unknown>) => sql`
  m.log_id, m.created_at, m.webhook_config_id, m.client_user_id, m.delivery_id, m.event_id, m.event_type, m.lead_id,
  case when m.state = 'delivered' then 'delivered' else 'failed' end, m.response_status, m.attempt,
  m.processing_time_ms, m.error_class, m.error_message, m.outcome, ${receiverId}, ${nextAttemptAt}, m.remote_address,
  m.request_url, m.request_method, m.response_truncated, m.timing`
export const BODY_COLUMNS = sql`id, created_at, request_headers, request_body, response_headers, response_body`
export const BODY_VALUES = sql`
  m.log_id, m.created_at, m.request_headers, m.request_body, m.response_headers, m.response_body`
/** What the timeline keeps of an attempt that ended its delivery; what there is nothing of takes no room in the journal. */
export const TOLD_DATA = sql`
  jsonb_strip_nulls(jsonb_build_object('delivery_id', m.delivery_id, 'webhook_config_id', m.webhook_config_id,
    'attempt', m.attempt, 'reason', m.error_class, 'outcome', m.outcome))`
