/** What a template says, before it has a look. Everything is plain text. */
export interface MailContent {
  subject: string
  title: string
  paragraphs: readonly string[]
  /** label and value, one line each */
  facts: ReadonlyArray<readonly [label: string, value: string]>
  action: { label: string; url: string } | undefined
  /** why this person gets it */
  reason: string
}

/** Who reads it (the account's id; of an answer to the contact form, the message's), where links lead, and when it is sent. */
export interface MailReader {
  user_id: string
  publicUrl: string
  now: Date
}
