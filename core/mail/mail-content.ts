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
}

/** The reader (the account's id, or the id of the answered contact message), the base of links, and the time of sending. */
export interface MailReader {
  user_id: string
  publicUrl: string
  now: Date
}
