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

/** One attempt that was made, with its consequences. */
export interface AttemptRecord {
  /** chosen by the sender once, so that recording the attempt twice writes one row */
  log_id: string
  /** when its exchange began; with `processing_time_ms` it gives the time of the answer */
  created_at: Date
  /** the time of the claim: the request was made from the configuration of that time */
  claimed_at: Date
  /** the version of the configuration at that time */
  config_version: string
  delivery_id: string
  lease_token: string
  webhook_config_id: string
  client_user_id: string
  event_id: string
  event_type: string
  lead_id: string
  attempt: number
  /** the delivery's status after this attempt; `pending` means that a retry follows */
  state: 'delivered' | 'failed' | 'pending'
  /** seconds until the retry; null if there is none */
  retry_in_seconds: number | null
  response_status: number | null
  processing_time_ms: number
  error_class: string | null
  error_message: string | null
  outcome: Outcome | null
  receiver_id: string | null
  /** set if the endpoint said that it is gone: the configuration is switched off with this reason */
  disable_reason: string | null
  /** replaces the above if the configuration has been changed since; null if that makes no difference */
  if_changed: Pick<AttemptRecord, 'state' | 'retry_in_seconds' | 'error_message' | 'disable_reason'> | null
  remote_address: string | null
  /** as configured: it outlives the exchange, so nothing of a person is in it */
  request_url: string
  /** as it was sent; null if no placeholder was filled into it */
  filled_url: string | null
  request_method: string
  request_headers: string
  request_body: string
  response_headers: string | null
  response_body: string | null
  response_truncated: boolean
  timing: string
  /** set if it is the first attempt of a sale and began late: since when it was due, and its priority */
  late: { due_at: Date; turn: number } | null
}

/** The form in which a column of the batch is sent. */
const UUIDS = { array: uuidArray, type: 'uuid[]' } as const
const TEXTS = { array: textArray, type: 'text[]' } as const
const INTS = { array: intArray, type: 'int[]' } as const
const MOMENTS = { array: momentArray, type: 'timestamptz[]' } as const

const COLUMNS = {
  log_id: UUIDS,
  created_at: MOMENTS,
  claimed_at: MOMENTS,
  delivery_id: UUIDS,
  lease_token: UUIDS,
  webhook_config_id: UUIDS,
  client_user_id: UUIDS,
  event_id: UUIDS,
  event_type: TEXTS,
  lead_id: UUIDS,
  attempt: INTS,
  state: TEXTS,
  retry_in_seconds: { array: floatArray, type: 'float8[]' },
  response_status: INTS,
  processing_time_ms: INTS,
  error_class: TEXTS,
  error_message: TEXTS,
  outcome: TEXTS,
  receiver_id: TEXTS,
  disable_reason: TEXTS,
  remote_address: TEXTS,
  request_url: TEXTS,
  filled_url: TEXTS,
  request_method: TEXTS,
  request_headers: TEXTS,
  request_body: TEXTS,
  response_headers: TEXTS,
  response_body: TEXTS,
  response_truncated: { array: booleanArray, type: 'boolean[]' },
  timing: TEXTS,
} as const satisfies Partial<Record<keyof AttemptRecord, { array: unknown; type: string }>>

export type AttemptColumn = keyof typeof COLUMNS
const NAMES = Object.keys(COLUMNS) as AttemptColumn[]

/**
 * SQL: the batch as rows `t`, so that one statement takes any number.
 * @param value the place of a column's values
 */
export function unnested(value: (name: AttemptColumn) => RawBuilder<unknown>): RawBuilder<unknown> {
  const arrays = NAMES.map((name) => sql`${value(name)}::${sql.raw(COLUMNS[name].type)}`)
  return sql`unnest(${sql.join(arrays)}) as t (${sql.raw(NAMES.join(', '))})`
}

/** The values of the batch, by column. */
export function columnsOf(records: readonly AttemptRecord[]): Record<AttemptColumn, unknown> {
  const columns = NAMES.map((name) => {
    const array = COLUMNS[name].array as (values: readonly unknown[]) => unknown
    return [name, array(records.map((record) => record[name]))]
  })
  return Object.fromEntries(columns) as Record<AttemptColumn, unknown>
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
export const BODY_COLUMNS = sql`
  id, created_at, request_headers, request_body, response_headers, response_body,
  filled_url`
export const BODY_VALUES = sql`
  m.log_id, m.created_at, m.request_headers, m.request_body, m.response_headers, m.response_body, m.filled_url`
/**
 * The data of an attempt that the timeline keeps when the delivery has ended; empty parts are left out to save space in
 * the journal.
 */
export const TOLD_DATA = sql`
  jsonb_strip_nulls(jsonb_build_object('delivery_id', m.delivery_id, 'webhook_config_id', m.webhook_config_id,
    'attempt', m.attempt, 'reason', m.error_class, 'outcome', m.outcome))`
