import { z } from 'zod'

/** A device on which the account is signed in: one row of `GET /api/v1/me/sessions`. */
export const ownSessionSchema = z.object({
  id: z.uuid(),
  created_at: z.string(),
  /** the last request other than a refresh, to the minute */
  last_active_at: z.string(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  /** aal2: proven by a second factor too */
  aal: z.enum(['aal1', 'aal2']),
  /** whether it is the session of this request */
  is_current: z.boolean(),
})
export type OwnSession = z.infer<typeof ownSessionSchema>
