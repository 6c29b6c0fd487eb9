import type { Session } from '@supabase/auth-js'
import { z } from 'zod'

const claimsSchema = z.object({
  session_id: z.string().default(''),
  aal: z.enum(['aal1', 'aal2']).default('aal1'),
})

/** Reads the claims of an access token that the app needs; only the server verifies them. */
export function readToken(token: string): z.output<typeof claimsSchema> {
  try {
    const part = token.split('.')[1] ?? ''
    return claimsSchema.parse(JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/'))))
  } catch {
    return { session_id: '', aal: 'aal1' }
  }
}

/** True if the account has a second factor that this session has not verified. */
export function needsSecondFactor(session: Session | null) {
  if (session === null || readToken(session.access_token).aal === 'aal2') return false
  return (session.user.factors ?? []).some(({ status }) => status === 'verified')
}
