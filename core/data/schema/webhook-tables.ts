import type { ColumnType, Generated } from 'kysely'
import type { MissingValues, Outcome } from '#core/contract/webhooks/answer-rules.ts'
import type { Grade } from '#core/contract/webhooks/certification-grade.ts'
import type { CertificationState, CertificationStop } from '#core/contract/webhooks/certification.ts'
import type { DeliveryState, ErrorClass } from '#core/contract/webhooks/delivery.ts'
import type { SentEvent } from '#core/contract/events.ts'
import type { PayloadType, RequestMethod } from '#core/contract/webhooks/webhook-config.ts'
import type { Json, JsonText, NullableText, NullableTimestamp, Timestamp } from './column-types.ts'

/** Configurations, their deliveries and log, and the health of their endpoints. */
export interface WebhookTables {
  client_webhook_configs: WebhookConfigsTable
  webhook_choices: WebhookChoicesTable
  webhook_signing_keys: WebhookSigningKeysTable
  lost_webhooks: LostWebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_delivery_logs: WebhookDeliveryLogsTable
  webhook_delivery_log_bodies: WebhookDeliveryLogBodiesTable
  webhook_rate_limits: WebhookRateLimitsTable
  webhook_endpoint_hours: WebhookEndpointHoursTable
  webhook_endpoint_health: WebhookEndpointHealthTable
  webhook_outcome_tellers: WebhookOutcomeTellersTable
  webhook_replays: WebhookReplaysTable
  webhook_endpoint_notices: WebhookEndpointNoticesTable
  endpoint_certifications: EndpointCertificationsTable
}

export interface WebhookConfigsTable {
  id: Generated<string>
  client_user_id: string
  created_by: NullableText
  webhook_name: string
  endpoint_url: string
  request_method: ColumnType<RequestMethod, RequestMethod | undefined, RequestMethod>
  payload_type: ColumnType<PayloadType, PayloadType | undefined, PayloadType>
  is_active: Generated<boolean>
  disabled_reason: NullableText
  disabled_at: NullableTimestamp
  /** why administrators have paused all sending to its client; copied from the account */
  sending_pause_reason: NullableText
  /** the person of the account whose leads it gets; null: shared, which gets all */
  member_user_id: NullableText
  trigger_on_lead_created: Generated<boolean>
  trigger_on_lead_assigned: Generated<boolean>
  /** the events beside the lead that it has chosen (CLIENT_EVENTS) */
  events: Generated<string[]>
  /** event → its template as text; an event without one has the default (readEventTemplates) */
  event_templates: ColumnType<unknown, string | undefined, string>
  /** header name → sealed value (core/secrets/secret-box.ts) */
  custom_headers: Json
  payload_template: JsonText
  missing_values: ColumnType<MissingValues, MissingValues | undefined, MissingValues>
  success_rule: ColumnType<unknown, string | null | undefined, string | null>
  capture_path: NullableText
  conditions: ColumnType<unknown, string | null | undefined, string | null>
  sending_hours: ColumnType<unknown, string | null | undefined, string | null>
  /**
   * placeholders in the query of `endpoint_url` and in `custom_headers` are filled in; false if both were saved before
   * that was possible
   */
  fills_address: Generated<boolean>
  /** requests a minute that its endpoint takes; null: no limit. A trigger keeps webhook_rate_limits */
  requests_per_minute: ColumnType<number | null, number | null | undefined, number | null>
  /** sealed */
  signing_secret: string
  previous_signing_secret: NullableText
  previous_secret_expires_at: NullableTimestamp
  /** whether requests also have an Ed25519 signature */
  sign_asymmetric: Generated<boolean>
  /** sealed JSON of an Authentication; null means none */
  authentication: NullableText
  ca_certificate: NullableText
  client_certificate: NullableText
  /** sealed */
  client_key: NullableText
  /** since when it has these triggers and conditions; set by a trigger of the database */
  choice_since: Timestamp
  /** when its deletion began, or its account was erased: while it is off, no deliveries are planned for it */
  retired_at: NullableTimestamp
  created_at: Timestamp
  updated_at: Timestamp
}

/** The secrets from which the Ed25519 keys of webhooks are derived. */
export interface WebhookSigningKeysTable {
  id: Generated<string>
  seed_sealed: string
  created_at: Timestamp
  /** null: the newest; an earlier one also signs until then */
  ends_at: NullableTimestamp
}

/** The token bucket of an endpoint with a limit (core/data/webhooks/deliveries/rate-limits.ts). */
export interface WebhookRateLimitsTable {
  webhook_config_id: string
  per_minute: number
  /** when the bucket is full again, if nothing is sent until then */
  full_at: Timestamp
}

/**
 * Earlier triggers and conditions of a configuration, written by a trigger of the database
 * (migrations/20261127030000-keep-webhook-choices.ts).
 */
export interface WebhookChoicesTable {
  id: Generated<string>
  webhook_config_id: string
  since: Timestamp
  until: Timestamp
  trigger_on_lead_created: boolean
  trigger_on_lead_assigned: boolean
  conditions: ColumnType<unknown, string | null, never>
}

/** Configurations that the account, or one person of it, could no longer see from a moment of the last day on. */
export interface LostWebhooksTable {
  id: Generated<string>
  webhook_config_id: string
  client_user_id: string
  /** the person whose it was */
  member_user_id: NullableText
  /** false: it was given to another person */
  is_deleted: boolean
  lost_at: Timestamp
}

export interface WebhookDeliveriesTable {
  id: Generated<string>
  event_id: string
  event_type: SentEvent
  webhook_config_id: string
  client_user_id: string
  /** the lead; of an event beside the lead, the id of that event ({@link isClientEvent}) */
  lead_id: string
  state: ColumnType<DeliveryState, DeliveryState | undefined, DeliveryState>
  /** number of attempts made so far */
  attempt: Generated<number>
  next_attempt_at: NullableTimestamp
  lease_token: NullableText
  lease_until: NullableTimestamp
  /** the last answer's outcome by the success rule, and the receiver's id for the lead */
  outcome: ColumnType<Outcome | null, Outcome | null | undefined, Outcome | null>
  receiver_id: NullableText
  /** the reason of its final failure: the error class of the last attempt */
  failure_class: ColumnType<ErrorClass | null, ErrorClass | null | undefined, ErrorClass | null>
  resend_of: NullableText
  /** the press of "Resend failed since…" that made it, or moved its planned retry forward */
  replay_id: NullableText
  /** number of its attempts when that replay took it */
  replay_attempt: ColumnType<number | null, number | null | undefined, number | null>
  cancelled_by: NullableText
  /** core/fairness/priorities.ts */
  turn: Generated<number>
  /** set if it is held because its webhook was off when it was planned: its owner may send or discard it until then */
  offered_until: NullableTimestamp
  created_at: Timestamp
  finished_at: NullableTimestamp
  /** when a failed one stopped being a dead letter; set by triggers */
  settled_at: NullableTimestamp
}

export interface WebhookReplaysTable {
  id: Generated<string>
  webhook_config_id: string
  client_user_id: string
  since: Timestamp
  /** new deliveries of finally failed ones */
  resent: number
  /** planned retries that were moved forward */
  hurried: number
  created_at: Timestamp
  cancelled_at: NullableTimestamp
  /** null while it is being made, or if it was interrupted; the next repeat continues it */
  ended_at: NullableTimestamp
}

export interface WebhookDeliveryLogsTable {
  id: Generated<string>
  created_at: Timestamp
  webhook_config_id: string
  client_user_id: string
  delivery_id: string
  event_id: string
  event_type: SentEvent
  /** as in `webhook_deliveries` */
  lead_id: string
  delivery_status: string
  response_status: number | null
  attempt_number: number
  processing_time_ms: number | null
  error_class: string | null
  error_message: string | null
  outcome: ColumnType<Outcome | null, Outcome | null | undefined, Outcome | null>
  receiver_id: NullableText
  next_attempt_at: NullableTimestamp
  remote_address: string | null
  request_url: string
  request_method: string
  response_truncated: Generated<boolean>
  /** AttemptTiming as JSON text */
  timing: string | null
}

/** The content of an attempt; removed months before its row in the log. */
export interface WebhookDeliveryLogBodiesTable {
  id: string
  created_at: Timestamp
  /** JSON object as text; secret values already masked */
  request_headers: string
  request_body: string
  /** the URL as it was sent, if placeholders were filled into it; secret values already masked */
  filled_url: NullableText
  /** JSON object as text */
  response_headers: string | null
  response_body: string | null
}

export interface WebhookEndpointNoticesTable {
  id: Generated<string>
  webhook_config_id: string
  kind: 'failing' | 'recovered' | 'switched_off'
  /** since when it failed, or when it was switched off */
  spell_at: Timestamp
  mailed: boolean
  created_at: Timestamp
}

export interface WebhookEndpointHoursTable {
  webhook_config_id: string
  hour: Timestamp
  delivered: Generated<number>
  failed: Generated<number>
  /** counts by core/domain/webhooks/latency.ts */
  latency: number[]
}

/** Times of attempts are the ends of their exchanges. */
export interface WebhookEndpointHealthTable {
  webhook_config_id: string
  failures_in_row: Generated<number>
  /** the time of the first failure in a row */
  failing_since: NullableTimestamp
  last_attempt_at: NullableTimestamp
  last_success_at: NullableTimestamp
  last_status: ColumnType<number | null, number | null | undefined, number | null>
  last_error_class: NullableText
  last_error_message: NullableText
  last_answer_at: NullableTimestamp
  unanswered_in_row: Generated<number>
  /** the time of the first attempt in a row without a usable answer */
  unanswered_since: NullableTimestamp
  breaker: ColumnType<'closed' | 'open', 'closed' | 'open' | undefined, 'closed' | 'open'>
  opened_at: NullableTimestamp
  /** when the breaker closed; held deliveries may still wait to be released */
  releasing_since: NullableTimestamp
  /** probes that failed since it opened */
  probes: Generated<number>
  probe_at: NullableTimestamp
  probe_delivery_id: NullableText
  warned_at: NullableTimestamp
  /** until then each delivery to it is sent alone (lone-deliveries.ts) */
  alone_until: NullableTimestamp
  updated_at: Timestamp
}

/** The workers that have written endpoints' outcomes, and the number of the last write of each. */
export interface WebhookOutcomeTellersTable {
  id: string
  told: ColumnType<string, number, number>
  told_at: Timestamp
}

/** Runs that try what an endpoint does with what really happens (docs/product.md §7). */
export interface EndpointCertificationsTable {
  id: Generated<string>
  webhook_config_id: string
  client_user_id: string
  /** without its port */
  host: string
  /** core/secrets/fingerprint-endpoint.ts */
  fingerprint: string
  state: ColumnType<CertificationState, CertificationState | undefined, CertificationState>
  stop: ColumnType<CertificationStop | null, CertificationStop | null | undefined, CertificationStop | null>
  grade: ColumnType<Grade | null, Grade | null | undefined, Grade | null>
  steps: ColumnType<unknown, string | undefined, string>
  /** how often it was begun; the fencing token of the worker that makes it */
  tries: Generated<number>
  lease_until: NullableTimestamp
  created_at: Timestamp
  started_at: NullableTimestamp
  finished_at: NullableTimestamp
}
