import type { AccountNotices } from '../contract/market/client-account.ts'
import type { MailedLead } from '../contract/market/client-notice.ts'

/** The content of a mail before its layout. Everything is plain text. */
export interface MailContent {
  subject: string
  title: string
  paragraphs: readonly string[]
  /** label and value, one line each */
  facts: ReadonlyArray<readonly [label: string, value: string]>
  action: { label: string; url: string } | undefined
  /** the reason why this person gets it */
  reason: string
  /** the page on which the reader ends mails of this kind; undefined if it is always sent */
  unsubscribeUrl?: string | undefined
}

/**
 * The reader (the account's id, or the id of the answered contact message), the base of links, and the time of sending.
 * `leads` are the ones that a mail about new leads names; `unsubscribe` signs the token that ends one kind of mail.
 */
export interface MailReader {
  user_id: string
  publicUrl: string
  now: Date
  leads?: readonly MailedLead[]
  unsubscribe?: (choice: keyof AccountNotices) => string
}
