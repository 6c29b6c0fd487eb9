import type { ColumnType, Generated } from 'kysely'
import type { MissingValues, Outcome, SuccessRule } from '../contract/answer-rules.ts'
import type { DeliveryState, ErrorClass } from '../contract/delivery.ts'
import type { DeliverableEvent, EventType } from '../contract/events.ts'
import type { LeadStatus } from '../contract/lead.ts'
import type { PayloadType, RequestMethod } from '../contract/webhook-config.ts'
import type { AuthTables } from './auth-tables.ts'

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** numeric arrives as text, so that no float touches money. */
type Money = ColumnType<string, string | number | undefined, string | number>
/** A `json` or `jsonb` column: read parsed, written as text. */
type Json<T> = ColumnType<T, string | undefined, string>
/** A `json` column whose text is kept as it is (core/data/database.ts turns the parser off). */
type JsonText = ColumnType<string, string, string>

/** Kysely's view of the schema in `migrations/`; the migrations are the authority. */
export interface Database extends AuthTables {
  sources: SourcesTable
  leads: LeadsTable
  lead_assignments: LeadAssignmentsTable
  events: EventsTable
  client_webhook_configs: WebhookConfigsTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_delivery_logs: WebhookDeliveryLogsTable
  webhook_delivery_log_bodies: WebhookDeliveryLogBodiesTable
  webhook_endpoint_hours: WebhookEndpointHoursTable
  webhook_endpoint_health: WebhookEndpointHealthTable
  webhook_replays: WebhookReplaysTable
  idempotency_keys: IdempotencyKeysTable
  mails: MailsTable
  webhook_endpoint_notices: WebhookEndpointNoticesTable
  secrets_key_check: { only: Generated<boolean>; sealed: string }
}

export interface SourcesTable {
  id: Generated<string>
  name: string
  owner_user_id: string | null
  auto_assign: boolean
  api_key_hash: Buffer
  api_key_prefix: string
  created_by: string | null
  created_at: Timestamp
  last_used_at: NullableTimestamp
  revoked_at: NullableTimestamp
}

type NullableText = ColumnType<string | null, string | null | undefined, string | null>

export interface LeadsTable {
  id: Generated<string>
  user_id: NullableText
  assigned_to: NullableText
  status: ColumnType<LeadStatus, LeadStatus | undefined, LeadStatus>
  is_test: Generated<boolean>
  name: NullableText
  first_name: NullableText
  last_name: NullableText
  email: NullableText
  phone: NullableText
  phone_raw: NullableText
  alt_phone: NullableText
  address1: NullableText
  address2: NullableText
  city: NullableText
  county: NullableText
  state: NullableText
  zip: NullableText
  country: Generated<string>
  timezone: NullableText
  /** `YYYY-MM-DD` */
  date_of_birth: NullableText
  age: ColumnType<number | null, number | null | undefined, number | null>
  gender: NullableText
  tobacco: ColumnType<boolean | null, boolean | null | undefined, boolean | null>
  coverage_amount: ColumnType<string | null, string | number | null | undefined, string | number | null>
  beneficiary_name: NullableText
  best_time_to_call: NullableText
  language: Generated<string>
  comments: NullableText
  custom: Json<Record<string, unknown>>
  lead_type: string
  deal_size: Money
  consent_given: ColumnType<boolean | null, boolean | null | undefined, boolean | null>
  consent_text: NullableText
  consent_at: NullableTimestamp
  consent_url: NullableText
  consent_ip: NullableText
  consent_user_agent: NullableText
  consent_revoked_at: NullableTimestamp
  trustedform_cert_url: NullableText
  trustedform_expires_at: NullableTimestamp
  jornaya_leadid: NullableText
  source_id: NullableText
  source: NullableText
  external_id: NullableText
  idempotency_key: NullableText
  ingest_fingerprint: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  campaign: NullableText
  sub_id: NullableText
  landing_page_url: NullableText
  utm: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
  cost: ColumnType<string | null, string | number | null | undefined, string | number | null>
  reject_reason: NullableText
  duplicate_of: NullableText
  order_id: NullableText
  price_charged: ColumnType<string | null, string | number | null | undefined, string | number | null>
  phone_hash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  email_hash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  assigned_at: NullableTimestamp
  expires_at: NullableTimestamp
  redacted_at: NullableTimestamp
  created_at: Timestamp
  updated_at: Timestamp
}

export interface LeadAssignmentsTable {
  id: Generated<string>
  lead_id: string
  client_user_id: string
  order_id: NullableText
  price: Money
  state: Generated<'active' | 'returned' | 'revoked'>
  first_viewed_at: NullableTimestamp
  disposition: Generated<string>
  disposition_at: NullableTimestamp
  notes: NullableText
  assigned_at: Timestamp
}

export interface EventsTable {
  id: Generated<string>
  type: EventType
  lead_id: string
  client_user_id: NullableText
  data: Json<Record<string, unknown>>
  created_at: Timestamp
  enqueued_at: NullableTimestamp
  planned_at: NullableTimestamp
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
  trigger_on_lead_created: Generated<boolean>
  trigger_on_lead_assigned: Generated<boolean>
  /** header name → sealed value (core/secrets.ts) */
  custom_headers: Json<Record<string, string>>
  payload_template: JsonText
  missing_values: ColumnType<MissingValues, MissingValues | undefined, MissingValues>
  success_rule: ColumnType<SuccessRule | null, string | null | undefined, string | null>
  capture_path: NullableText
  /** sealed */
  signing_secret: string
  previous_signing_secret: NullableText
  previous_secret_expires_at: NullableTimestamp
  /** sealed JSON of an Authentication; null: none */
  authentication: NullableText
  ca_certificate: NullableText
  client_certificate: NullableText
  /** sealed */
  client_key: NullableText
  created_at: Timestamp
  updated_at: Timestamp
}

export interface WebhookDeliveriesTable {
  id: Generated<string>
  event_id: string
  event_type: DeliverableEvent
  webhook_config_id: string
  client_user_id: string
  lead_id: string
  state: ColumnType<DeliveryState, DeliveryState | undefined, DeliveryState>
  /** attempts made so far; the next one is this + 1 */
  attempt: Generated<number>
  next_attempt_at: NullableTimestamp
  lease_token: NullableText
  lease_until: NullableTimestamp
  /** what the last answer said by the success rule, and the id that the receiver gave the lead */
  outcome: ColumnType<Outcome | null, Outcome | null | undefined, Outcome | null>
  receiver_id: NullableText
  /** why it failed for good: the error class of the last attempt */
  failure_class: ColumnType<ErrorClass | null, ErrorClass | null | undefined, ErrorClass | null>
  resend_of: NullableText
  /** the press of "Resend failed since…" that made it, or moved its planned retry forward */
  replay_id: NullableText
  /** attempts it had when that replay took it */
  replay_attempt: ColumnType<number | null, number | null | undefined, number | null>
  cancelled_by: NullableText
  /** core/queue/turns.ts */
  turn: Generated<number>
  created_at: Timestamp
  finished_at: NullableTimestamp
}

export interface WebhookReplaysTable {
  id: Generated<string>
  webhook_config_id: string
  client_user_id: string
  since: Timestamp
  /** new deliveries of what had finally failed */
  resent: number
  /** planned retries that were moved forward */
  hurried: number
  created_at: Timestamp
  cancelled_at: NullableTimestamp
}

export interface WebhookDeliveryLogsTable {
  id: Generated<string>
  created_at: Timestamp
  webhook_config_id: string
  client_user_id: string
  delivery_id: string
  event_id: string
  event_type: DeliverableEvent
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

/** What was said in an attempt; gone months before its row in the log. */
export interface WebhookDeliveryLogBodiesTable {
  id: string
  created_at: Timestamp
  /** JSON object as text; secret values already masked */
  request_headers: string
  request_body: string
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

export interface MailsTable {
  id: Generated<string>
  recipient_user_id: string
  template: string
  data: Json<unknown>
  /** the data of a mail that lets people in, sealed; gone once it is sent or given up */
  sealed_data: NullableText
  /** null: the address of the recipient's profile */
  recipient_address: NullableText
  notice_key: string
  created_at: Timestamp
  tries: Generated<number>
  /** null when it is sent or given up */
  next_try_at: NullableTimestamp
  sent_at: NullableTimestamp
  last_failure: NullableText
}

export interface WebhookEndpointHoursTable {
  webhook_config_id: string
  hour: Timestamp
  delivered: Generated<number>
  failed: Generated<number>
  /** counts by core/domain/latency.ts */
  latency: number[]
}

export interface WebhookEndpointHealthTable {
  webhook_config_id: string
  failures_in_row: Generated<number>
  /** the first failure of the row */
  failing_since: NullableTimestamp
  last_attempt_at: NullableTimestamp
  last_success_at: NullableTimestamp
  last_status: ColumnType<number | null, number | null | undefined, number | null>
  last_error_class: NullableText
  last_error_message: NullableText
  unanswered_in_row: Generated<number>
  breaker: ColumnType<'closed' | 'open', 'closed' | 'open' | undefined, 'closed' | 'open'>
  opened_at: NullableTimestamp
  /** the breaker closed then, and deliveries that were held may still wait to be let go */
  releasing_since: NullableTimestamp
  /** probes that failed since it opened */
  probes: Generated<number>
  probe_at: NullableTimestamp
  probe_delivery_id: NullableText
  warned_at: NullableTimestamp
  updated_at: Timestamp
}

export interface IdempotencyKeysTable {
  user_id: string
  operation: string
  key: string
  fingerprint: Buffer
  resource_id: string
  created_at: Timestamp
}
