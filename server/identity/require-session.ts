import { readBearer, verifyAccessToken } from './access-token.ts'
import type { AuthContext } from '../accounts/auth-context.ts'
import { AuthError, userBanned, userGone, validationFailed } from '../accounts/wire/auth-error.ts'
import { findPrincipal } from './data/principals.ts'
import { touchSession } from '../accounts/sessions/data/sessions.ts'
import { isUuid } from './is-uuid.ts'

export interface SessionHolder {
  user_id: string
  session_id: string
  aal: 'aal1' | 'aal2'
  is_anonymous: boolean
  /** the account has a second factor, and the session was not proven by it */
  owes_factor: boolean
}

/** The bearer of a live session, or the wire's refusal; the order of the checks is part of the wire. */
export async function requireSession(
  context: AuthContext,
  authorization: string | undefined,
): Promise<SessionHolder> {
  const token = readBearer(authorization)
  if (token === undefined) {
    throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
  }
  const verified = await verifyAccessToken(context, token)
  if (!verified.ok) {
    if (verified.fault === 'audience') throw validationFailed("Token audience doesn't match request audience")
    const message = `invalid JWT: unable to parse or verify signature, ${verified.reason}`
    throw new AuthError(403, 'bad_jwt', message)
  }
  const { sub, session_id } = verified.claims
  if (sub === undefined) throw new AuthError(403, 'bad_jwt', 'invalid claim: missing sub claim')
  if (!isUuid(sub)) throw new AuthError(400, 'bad_jwt', 'invalid claim: sub claim must be a UUID')
  const found = await findPrincipal(
    context.db,
    sub,
    isUuid(session_id) ? session_id : null,
    context.config.auth.inactivitySeconds,
  )
  if (found === undefined) {
    throw userGone()
  }
  if (found.session_id === null || found.aal === null || found.has_rested) {
    throw sessionNotFound()
  }
  if (found.is_blocked) throw userBanned()
  if (found.needs_touch) await touchSession(context.db, found.session_id)
  const { user_id, session_id: id, aal, is_anonymous, has_factor } = found
  return { user_id, session_id: id, aal, is_anonymous, owes_factor: has_factor && aal !== 'aal2' }
}

/** The session ended before the request could do its work. */
export function sessionNotFound(): AuthError {
  return new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
}
