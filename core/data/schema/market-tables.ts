import type { ColumnType, Generated } from 'kysely'
import type { MarketWorkTables } from './market-work-tables.ts'
import type { PaymentTables } from './payment-tables.ts'
import type {
  Json,
  JsonObject,
  Money,
  NullableMoney,
  NullableText,
  NullableTimestamp,
  Timestamp,
} from './column-types.ts'

type NullableNumber = ColumnType<number | null, number | null | undefined, number | null>

/** Orders, prices, sales, returns, and the suppression list. */
export interface MarketTables extends PaymentTables, MarketWorkTables {
  client_accounts: ClientAccountsTable
  lead_types: LeadTypesTable
  lead_prices: LeadPricesTable
  orders: OrdersTable
  order_tallies: OrderTalliesTable
  balance_ledger: BalanceLedgerTable
  suppressions: SuppressionsTable
  client_suppressions: ClientSuppressionsTable
  assignment_decisions: AssignmentDecisionsTable
  lead_returns: LeadReturnsTable
  client_funding: ClientFundingTable
  client_notes: ClientNotesTable
  told_leads: { assignment_id: string; lead_id: string; client_user_id: string; told_at: Timestamp }
}

export interface ClientAccountsTable {
  user_id: string
  status: Generated<'onboarding' | 'active' | 'closed'>
  business_name: NullableText
  phone: NullableText
  timezone: Generated<string>
  npn: NullableText
  licensed_states: Generated<string[]>
  low_balance_threshold: Money
  auto_recharge_enabled: Generated<boolean>
  auto_recharge_threshold: NullableMoney
  auto_recharge_amount: NullableMoney
  auto_recharge_monthly_max: NullableMoney
  auto_recharge_failures: Generated<number>
  auto_recharge_not_before: NullableTimestamp
  auto_recharge_stopped: NullableText
  notices: JsonObject
  quiet_hours: ColumnType<unknown, string | null | undefined, string | null>
  skipped_setup_steps: Generated<string[]>
  terms_version: NullableText
  terms_accepted_at: NullableTimestamp
  terms_ip: NullableText
  /** since when and why administrators have paused all sending to the client, which reads the reason */
  sending_paused_at: NullableTimestamp
  sending_pause_reason: NullableText
  version: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
}

/** Administrators' notes about a client; only their author may become null. */
export interface ClientNotesTable {
  id: Generated<string>
  client_user_id: string
  author_user_id: NullableText
  text: string
  created_at: Timestamp
}

export interface LeadTypesTable {
  code: string
  label: string
  price: Money
  floor_price: Money
  offer_again_at: NullableTimestamp
  rounds_until: NullableTimestamp
  /** when the last round began that offered every unsold lead */
  offered_all_at: NullableTimestamp
  /** whether a late lead of this type is credited */
  late_credit: Generated<boolean>
  /** only leads that were sold since then are credited; null: all */
  late_credit_since: NullableTimestamp
  created_at: Timestamp
  updated_at: Timestamp
}

export interface LeadPricesTable {
  id: Generated<string>
  lead_type: string
  state: NullableText
  client_user_id: NullableText
  price: Money
  created_at: Timestamp
}

export interface OrdersTable {
  id: Generated<string>
  client_user_id: string
  name: string
  lead_type: string
  states: Generated<string[]>
  age_min: NullableNumber
  age_max: NullableNumber
  accept_unknown_age: Generated<boolean>
  /** minutes since its receipt; null: any lead that is held */
  max_lead_age_minutes: NullableNumber
  /** ZIP codes or their first digits; empty, without a circle: everywhere */
  zip_codes: Generated<string[]>
  near_zip: NullableText
  near_miles: NullableNumber
  excluded_sources: Generated<string[]>
  daily_cap: NullableNumber
  weekly_cap: NullableNumber
  monthly_cap: NullableNumber
  total_cap: NullableNumber
  daily_budget: NullableMoney
  monthly_budget: NullableMoney
  price: NullableMoney
  priority: Generated<number>
  weight: Generated<number>
  schedule: ColumnType<unknown, string | null | undefined, string | null>
  timezone: string
  /** the time zone by which it counts until `counts_in_until`, if its zone was changed */
  counts_in: NullableText
  counts_in_until: NullableTimestamp
  starts_at: NullableTimestamp
  ends_at: NullableTimestamp
  /** who paused it; a pause by others takes precedence over its client's; null if it is not paused */
  paused_by: NullableText
  pause_reason: NullableText
  /** whether its client has paused it too, in addition to the pause by others */
  also_paused_by_client: Generated<boolean>
  when_undelivered: Generated<'keep' | 'return' | 'reoffer'>
  /** the person of the account for whom it buys; null: shared */
  member_user_id: NullableText
  ahead_day: Generated<string>
  ahead_leads: Generated<number>
  version: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
  deleted_at: NullableTimestamp
  /** set by the database */
  number: ColumnType<number, never, never>
}

export interface OrderTalliesTable {
  order_id: string
  day: Generated<string>
  day_leads: Generated<number>
  day_spent: Money
  week: Generated<string>
  week_leads: Generated<number>
  month: Generated<string>
  month_leads: Generated<number>
  month_spent: Money
  total_leads: Generated<number>
  last_assigned_at: NullableTimestamp
}

export interface BalanceLedgerTable {
  /** set by the database under the balance's lock; text, because it may exceed JavaScript's exact numbers */
  id: Generated<string>
  client_user_id: string
  entry_type: string
  amount: Money
  balance_after: Generated<string>
  reference_type: NullableText
  reference_id: NullableText
  idempotency_key: NullableText
  note: NullableText
  created_by: NullableText
  created_at: Timestamp
}

export interface SuppressionsTable {
  id: Generated<string>
  kind: 'phone' | 'email'
  hash: Buffer
  reason: string
  note: NullableText
  created_by: NullableText
  created_at: Timestamp
}

export interface ClientSuppressionsTable {
  id: Generated<string>
  client_user_id: string
  kind: 'phone' | 'email'
  hash: Buffer
  reason: string
  created_by: NullableText
  created_at: Timestamp
}

export interface AssignmentDecisionsTable {
  lead_id: string
  outcome: 'assigned' | 'duplicate' | 'no_buyer' | 'rejected' | 'expired'
  reason: NullableText
  order_id: NullableText
  client_user_id: NullableText
  /** `{reason: [order_id, …]}`; written by older versions */
  refusals: Json
  refused: JsonObject
  tries: Generated<number>
  decided_at: Timestamp
  /** core/domain/market/choice/refusal-letters.ts; null if no order was considered */
  told: ColumnType<unknown, string | null | undefined, string | null>
}

export interface LeadReturnsTable {
  id: Generated<string>
  assignment_id: string
  lead_id: string
  client_user_id: string
  reason: string
  note: NullableText
  status: Generated<'pending' | 'approved' | 'denied' | 'withdrawn'>
  asked_by: Generated<'client' | 'admin' | 'system'>
  held_for_review: Generated<boolean>
  decided_by: NullableText
  decided_at: NullableTimestamp
  decision_note: NullableText
  created_at: Timestamp
}

export interface ClientFundingTable {
  client_user_id: string
  due_at: NullableTimestamp
  told: Generated<'available' | 'limited' | 'out'>
}
