import { z } from 'zod'

/** A key of a program that acts for the service itself. The key is shown only when it is made. */
export const serviceKeySchema = z.object({
  id: z.guid(),
  program: z.string(),
  /** false: the one row for all keys that were made before keys were listed, or without the database */
  is_listed: z.boolean(),
  created_at: z.string(),
  /** null for the row of unlisted keys: each of them has its own end */
  expires_at: z.string().nullable(),
  /** written once a minute at most */
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
})
export type ServiceKey = z.infer<typeof serviceKeySchema>
