import { readBearer, verifyAccessToken } from './access-token.ts'
import { useLiveSession, type SessionVerdict } from './find-live-session.ts'
import type { IdentityContext } from './identity-context.ts'
import { isUuid } from './is-uuid.ts'

/**
 * The sender of a request, or the fault of its token. `no_subject`: a valid token of no user, such as the
 * app's public key.
 */
export type BearerVerdict =
  | { state: 'no_token' | 'wrong_audience' | 'no_subject' | 'bad_subject' }
  | { state: 'bad_token'; reason: string }
  | SessionVerdict

/** Resolves an `Authorization` header to a signed-in user; counts as activity of the session. */
export async function identifyBearer(
  context: IdentityContext,
  authorization: string | undefined,
): Promise<BearerVerdict> {
  const token = readBearer(authorization)
  if (token === undefined) return { state: 'no_token' }
  const verified = await verifyAccessToken(context, token)
  if (!verified.ok) {
    const { fault, reason } = verified
    return fault === 'audience' ? { state: 'wrong_audience' } : { state: 'bad_token', reason }
  }
  const { sub, session_id } = verified.claims
  if (sub === undefined) return { state: 'no_subject' }
  if (!isUuid(sub)) return { state: 'bad_subject' }
  return await useLiveSession(context, sub, isUuid(session_id) ? session_id : undefined)
}
