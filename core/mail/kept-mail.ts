import { z } from 'zod'

/** A mail in the form stored in the folder beside its `.eml`, for people and for /dev/mailbox. */
export const keptMailSchema = z.object({
  id: z.string(),
  at: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
})
export type KeptMail = z.infer<typeof keptMailSchema>
