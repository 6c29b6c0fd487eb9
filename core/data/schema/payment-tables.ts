import type { ColumnType, Generated } from 'kysely'
import type { Money, NullableMoney, NullableText, NullableTimestamp, Timestamp } from './column-types.ts'

/** Incoming and returned money: payments, the provider's reports about them, and clients' agreements. */
export interface PaymentTables {
  payments: PaymentsTable
  payment_events: PaymentEventsTable
  payment_reversals: PaymentReversalsTable
  payment_refund_failures: PaymentRefundFailuresTable
  payment_customers: PaymentCustomersTable
  payment_provider_ends: PaymentProviderEndsTable
  payment_differences: PaymentDifferencesTable
  payment_comparison: PaymentComparisonTable
  auto_recharge_agreements: AutoRechargeAgreementsTable
  pending_adjustments: PendingAdjustmentsTable
  marketplace_settings: MarketplaceSettingsTable
  statements: StatementsTable
}

export interface PaymentsTable {
  id: Generated<string>
  client_user_id: string
  kind: Generated<'top_up' | 'auto_recharge'>
  method: 'request' | 'checkout'
  amount: Money
  /** the amount that was requested, if a different one came */
  asked_amount: NullableMoney
  /** the amount that the provider reports, if it differs from the requested one */
  told_amount: NullableMoney
  status: Generated<'pending' | 'received' | 'failed' | 'cancelled'>
  provider_session_id: NullableText
  provider_intent_id: NullableText
  checkout_url: NullableText
  saves_method: Generated<boolean>
  charge_customer: NullableText
  charge_method: NullableText
  ask_at: NullableTimestamp
  asks: Generated<number>
  failure: NullableText
  decided_by: NullableText
  decided_at: NullableTimestamp
  note: NullableText
  /** taken at commit by the trigger number_receipt, with the seller of that day */
  receipt_number: ColumnType<number | null, never, never>
  seller_name: ColumnType<string | null, never, never>
  seller_address: ColumnType<string | null, never, never>
  /** when it was stored as a file */
  receipt_stored_at: NullableTimestamp
  created_at: Timestamp
}

export interface PaymentEventsTable {
  event_id: string
  type: string
  payment_id: NullableText
  received_at: Timestamp
}

export interface PaymentReversalsTable {
  /** the provider's own */
  id: string
  kind: 'dispute' | 'refund'
  intent_id: NullableText
  payment_id: NullableText
  state: 'warned' | 'open' | 'lost' | 'won' | 'paid_back'
  amount: Money
  taken: Money
  currency: Generated<string>
  told_at: NullableTimestamp
  /** until when a dispute can be answered */
  due_by: NullableTimestamp
  created_at: Timestamp
  updated_at: Timestamp
}

export interface PaymentRefundFailuresTable {
  /** the provider's own */
  id: string
  reversal_id: string
  amount: Money
  told_at: Timestamp
}

export interface PaymentCustomersTable {
  client_user_id: string
  /** the provider's own */
  customer_id: string
  method_id: NullableText
  method_label: NullableText
  saved_at: NullableTimestamp
  /** when a payment method was last stored, by the provider's clock, or removed */
  method_changed_at: NullableTimestamp
}

export interface PaymentProviderEndsTable {
  /** the provider's own */
  name: string
  kind: 'page' | 'method'
  due_at: Timestamp
  tries: Generated<number>
  created_at: Timestamp
}

export interface PaymentDifferencesTable {
  kind: 'unknown' | 'not_credited' | 'not_paid' | 'amount' | 'refund' | 'dispute'
  /** the provider's own */
  provider_id: string
  payment_id: NullableText
  ours: string
  theirs: string
  found_at: Timestamp
  seen_at: Timestamp
}

export interface PaymentComparisonTable {
  only_row: Generated<boolean>
  begun_at: NullableTimestamp
  finished_at: NullableTimestamp
  since: NullableTimestamp
  compared: Generated<number>
  failure: NullableText
}

export interface AutoRechargeAgreementsTable {
  id: Generated<string>
  client_user_id: string
  terms: string
  threshold: Money
  amount: Money
  monthly_max: Money
  /** null in agreements that a version without this column stored */
  method_id: NullableText
  covers_price: Generated<boolean>
  agreed_by: string
  agreed_at: Timestamp
}

export interface PendingAdjustmentsTable {
  id: string
  client_user_id: string
  kind: Generated<'adjustment' | 'pay_out'>
  amount: Money
  note: string
  status: Generated<'pending' | 'confirmed' | 'declined'>
  asked_by: string
  created_at: Timestamp
  expires_at: Timestamp
  decided_by: NullableText
  decided_at: NullableTimestamp
  decision_note: NullableText
}

export interface StatementsTable {
  /** without gaps */
  number: number
  client_user_id: string
  /** `YYYY-MM` in its time zone */
  month: string
  timezone: string
  seller_name: string
  seller_address: string
  issued_at: Timestamp
}

export interface MarketplaceSettingsTable {
  key: string
  value: string
  changed_by: NullableText
  changed_at: Timestamp
  reason: string
}
