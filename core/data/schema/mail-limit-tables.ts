import type { Timestamp } from './column-types.ts'

/** Tables that limit mails of leads, and of tests. */
export interface MailLimitTables {
  lead_mail_lines: LeadMailLinesTable
  test_mail_counts: TestMailCountsTable
}

/** Lines of mails that wait for MAIL_LEADS_PER_HOUR (core/data/webhooks/by-mail/lead-mail-lines.ts). */
export interface LeadMailLinesTable {
  /** a client, or all zeros: the installation */
  id: string
  free_at: Timestamp
}

/** Test mails of an account, or to an address (core/data/webhooks/by-mail/test-mails.ts). */
export interface TestMailCountsTable {
  counted: string
  /** the begin of the hour of the last one; its day is that of `in_day` */
  hour: Timestamp
  in_hour: number
  in_day: number
}
