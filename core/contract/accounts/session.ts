import { z } from 'zod'

/** A place where the account is signed in: one row of `GET /api/v1/me/sessions`. */
export const ownSessionSchema = z.object({
  id: z.uuid(),
  created_at: z.string(),
  /** the last request but for refreshes, to the minute */
  last_active_at: z.string(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  /** aal2: proven by a second factor too */
  aal: z.enum(['aal1', 'aal2']),
  /** the session that asks */
  is_current: z.boolean(),
})
export type OwnSession = z.infer<typeof ownSessionSchema>
