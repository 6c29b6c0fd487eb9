import type { Generated } from 'kysely'
import type { AuthTables } from './account-tables.ts'
import type { Json, Money, NullableText, NullableTimestamp, Timestamp } from './column-types.ts'
import type { ExportTables } from './export-tables.ts'
import type { FileTables } from './file-tables.ts'
import type { ImportTables } from './import-tables.ts'
import type { LeadTables } from './lead-tables.ts'
import type { MailLimitTables } from './mail-limit-tables.ts'
import type { MarketTables } from './market-tables.ts'
import type { RevocationTables } from './revocation-tables.ts'
import type { RemovedOutcomesTable, RetentionProgressTable } from './retention-tables.ts'
import type { WebhookTables } from './webhook-tables.ts'

/** Kysely's view of the schema in `migrations/`; the migrations are the authority. */
export interface Database
  extends
    AuthTables,
    ExportTables,
    FileTables,
    ImportTables,
    LeadTables,
    MailLimitTables,
    MarketTables,
    RevocationTables,
    WebhookTables {
  contact_messages: ContactMessagesTable
  mails: MailsTable
  overview_hours: OverviewHoursTable
  promise_hours: { hour: Timestamp; form: number; counted_at: Timestamp; begun: number; late: number }
  incidents: IncidentsTable
  revenue_days: RevenueDaysTable
  removed_outcomes: RemovedOutcomesTable
  retention_progress: RetentionProgressTable
  secrets_key_check: { only: Generated<boolean>; sealed: string }
  secrets_keys: SecretsKeysTable
}

/** The keys of SECRETS_KEY that were ever in use; empty until the first rotation. */
export interface SecretsKeysTable {
  /** short id derived from the key */
  id: string
  /** values that name no key are sealed with it */
  is_first: Generated<boolean>
  /** sealed JSON of keys derived from it, which hashes in the database need */
  kept: NullableText
  sealing_since: Timestamp
  /** when no value was sealed with it any more */
  retired_at: NullableTimestamp
}

export interface ContactMessagesTable {
  id: Generated<string>
  reference: string
  topic: string
  name: string
  email: string
  message: string
  created_at: Timestamp
  answered_at: NullableTimestamp
}

/** The figures of a past hour (core/data/operations/overview/kept-hours.ts). */
export interface OverviewHoursTable {
  hour: Timestamp
  /** the version of the way in which it was counted */
  form: number
  counted_at: Timestamp
  market: Json
  deliveries: Json
}

/** Incidents that administrators write on the status page. */
export interface IncidentsTable {
  id: Generated<string>
  title: string
  message: string
  began_at: Timestamp
  ended_at: NullableTimestamp
  created_at: Timestamp
  updated_at: Timestamp
}

export interface RevenueDaysTable {
  by: string
  day: string
  key: string
  /** the version of the way in which it was counted */
  form: number
  sold: number
  sales: Money
  returned: number
  credits: Money
}

export interface MailsTable {
  id: Generated<string>
  /** null for a recipient without an account, given by the address or the message */
  recipient_user_id: NullableText
  /**
   * a message of the contact form: the mail goes to its sender, unless `recipient_address` names another, and is
   * removed with it
   */
  contact_message_id: NullableText
  template: string
  data: Json
  /** the sealed data of a mail with a code or link; removed once it is sent or given up */
  sealed_data: NullableText
  /** null means the address of the recipient's profile */
  recipient_address: NullableText
  notice_key: string
  created_at: Timestamp
  tries: Generated<number>
  /** null when it is sent or given up */
  next_try_at: NullableTimestamp
  sent_at: NullableTimestamp
  last_failure: NullableText
}
