import type { ColumnType, Generated } from 'kysely'
import type { EventType } from '#core/contract/events.ts'
import type { FeedKind } from '#core/contract/leads/feed.ts'
import type { LeadStatus } from '#core/contract/leads/lead.ts'
import type { Json, JsonObject, Money, NullableText, NullableTimestamp, Timestamp } from './column-types.ts'

/** Leads, their sources, their assignments, and their events. */
export interface LeadTables {
  sources: SourcesTable
  source_keys: SourceKeysTable
  leads: LeadsTable
  lead_assignments: LeadAssignmentsTable
  lead_outcomes: LeadOutcomesTable
  events: EventsTable
  idempotency_keys: IdempotencyKeysTable
  client_feed: ClientFeedTable
  client_feed_heads: ClientFeedHeadsTable
}

export interface SourcesTable {
  id: Generated<string>
  name: string
  owner_user_id: string | null
  auto_assign: boolean
  test_mode: Generated<boolean>
  /** version of the valid links to its posting specification */
  spec_version: Generated<number>
  /** hash of its first key; the trigger `keep_key_of_new_source` copies it and the prefix to `source_keys` */
  api_key_hash: Buffer
  api_key_prefix: string
  created_by: string | null
  created_at: Timestamp
  last_used_at: NullableTimestamp
  /**
   * the time since which no leads are accepted; a key that is added later opens the source again, unless it was stopped
   */
  revoked_at: NullableTimestamp
  /** the time since which its leads are not sold either, for good */
  stopped_at: NullableTimestamp
  stop_reason: NullableText
  /** since when and why leads under its keys are refused, until it is resumed, and which administrator did it */
  paused_at: NullableTimestamp
  pause_reason: NullableText
  paused_by: NullableText
}

/** The keys under which a source posts; `keep_key_of_new_source` writes the first one. */
export interface SourceKeysTable {
  id: Generated<string>
  source_id: string
  key_hash: Buffer
  key_prefix: string
  created_by: string | null
  created_at: Timestamp
  last_used_at: NullableTimestamp
  revoked_at: NullableTimestamp
}

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
  custom: JsonObject
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
  /** the person of the account whose lead it is; null: shared */
  member_user_id: NullableText
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
  /** who of the account had it when it ended; null while it is active */
  member_user_id: NullableText
}

/** The outcomes that clients' CRMs posted. */
export interface LeadOutcomesTable {
  id: Generated<string>
  lead_id: string
  assignment_id: string
  client_user_id: string
  webhook_config_id: string
  outcome: string
  /** dollars */
  amount: ColumnType<string | null, string | number | null | undefined, string | number | null>
  note: NullableText
  created_at: Timestamp
}

export interface EventsTable {
  id: Generated<string>
  type: EventType
  /** the lead that it is about; null for any other subject, which the next two columns name */
  lead_id: NullableText
  subject_type: Generated<string>
  subject_id: NullableText
  client_user_id: NullableText
  data: Json
  created_at: Timestamp
  enqueued_at: NullableTimestamp
  /** when its consumer had done its work */
  planned_at: NullableTimestamp
  /** number of failures for reasons of the event itself, and the time when its consumer gave up */
  failures: Generated<number>
  failed_at: NullableTimestamp
}

export interface IdempotencyKeysTable {
  user_id: string
  operation: string
  key: string
  fingerprint: Buffer
  resource_id: string
  created_at: Timestamp
}

/** The entries of clients' feeds; the trigger `number_feed_entries` writes them. */
export interface ClientFeedTable {
  client_user_id: string
  /** from 1, without gaps for each client */
  number: string
  kind: FeedKind
  lead_id: string
  event_id: string
  /** whole milliseconds; never earlier than that of a smaller number */
  at: Timestamp
  /** of a return */
  reason: NullableText
  /** SHA-256 over the hash of the entry before it and its own facts (docs/contract.md §5) */
  hash: Buffer
}

/** The last entry of each feed. */
export interface ClientFeedHeadsTable {
  client_user_id: string
  last_number: string
  last_at: Timestamp
}
