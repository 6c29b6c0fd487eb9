import type { Generated } from 'kysely'
import type {
  RevocationReach,
  RevocationReporter,
  RevocationStatus,
} from '#core/contract/leads/revocation.ts'
import type { NullableText, NullableTimestamp, Timestamp } from './column-types.ts'

/** Revocations of consent, the clients that were told, and codes that prove who revokes. */
export interface RevocationTables {
  revocations: RevocationsTable
  revocation_holders: RevocationHoldersTable
  revocation_codes: RevocationCodesTable
}

export interface RevocationsTable {
  id: Generated<string>
  reported_by: RevocationReporter
  /** who may not contact the person: everybody, the client of `client_user_id`, or the holders of the leads */
  reach: RevocationReach
  status: RevocationStatus
  /** the way by which a person got the code */
  proof: 'sms' | 'email' | null
  source_id: NullableText
  /** the client who reported it, or whom the source names */
  client_user_id: NullableText
  created_by: NullableText
  /** the leads that a report named or found */
  lead_ids: Generated<string[]>
  reason: NullableText
  decided_by: NullableText
  decided_at: NullableTimestamp
  decision_note: NullableText
  revoked_at: NullableTimestamp
  /** the tenth business day, `YYYY-MM-DD`, and the moment at which it has ended */
  due_on: NullableText
  due_at: NullableTimestamp
  created_at: Timestamp
}

/** A client that holds or held a lead, and its receipt. */
export interface RevocationHoldersTable {
  id: Generated<string>
  revocation_id: string
  lead_id: string
  client_user_id: string
  /** who of the account has or had the lead; null: shared */
  member_user_id: NullableText
  event_id: NullableText
  due_at: Timestamp
  mailed_at: NullableTimestamp
  acknowledged_at: NullableTimestamp
  acknowledged_by: 'webhook' | 'person' | null
  acknowledged_user_id: NullableText
  /** the webhook whose 2xx is the receipt */
  webhook_name: NullableText
  created_at: Timestamp
  /** when an open holder is looked at for a receipt; null: once a delivery of it ends */
  look_at: NullableTimestamp
}

export interface RevocationCodesTable {
  id: Generated<string>
  contact_mac: Buffer
  code_mac: Buffer
  wrong_attempts: Generated<number>
  /** the mail with the code, which has the address; removed with the code */
  mail_id: NullableText
  created_at: Timestamp
  expires_at: Date
}
