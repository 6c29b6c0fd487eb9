import { errors, SignJWT } from 'jose'
import { AppError } from '#core/errors.ts'
import type { IdentityContext } from '../identity/identity-context.ts'
import { isUuid } from '../identity/is-uuid.ts'
import { verifyWithAnyKey } from '../identity/access-token.ts'
import { requireLive } from '../identity/authenticate.ts'
import { findLiveSession, type Principal } from '../identity/find-live-session.ts'
import { requireAdmin } from '../identity/authorise.ts'

export const QUEUE_BOARD_PATH = '/admin/queues'
const COOKIE = 'leadwire_queues'
/** Differs from the access tokens' audience, so that neither is accepted as the other. */
const AUDIENCE = 'queues'
/** Opening the dashboard again is one click, so a stolen cookie need not live long. */
export const QUEUE_SESSION_SECONDS = 15 * 60

/**
 * Makes the cookie that lets an administrator's browser load the dashboard, whose pages cannot carry a bearer
 * token. It is sent to that path only, and ends with the auth session it was made from.
 * @param now Unix seconds
 */
export async function createQueueCookie(
  context: IdentityContext,
  principal: Pick<Principal, 'user_id' | 'session_id'>,
  now: number,
): Promise<string> {
  const { signing } = context.identity.keys
  const token = await new SignJWT({ session_id: principal.session_id })
    .setProtectedHeader({ alg: signing.alg, typ: 'JWT', kid: signing.kid })
    .setIssuer(context.config.http.publicUrl)
    .setSubject(principal.user_id)
    .setAudience(AUDIENCE)
    .setIssuedAt(now)
    .setExpirationTime(now + QUEUE_SESSION_SECONDS)
    .sign(signing.privateKey)
  const secure = context.config.http.publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${COOKIE}=${token}; Path=${QUEUE_BOARD_PATH}; Max-Age=${QUEUE_SESSION_SECONDS}; HttpOnly; SameSite=Strict${secure}`
}

/**
 * Lets an administrator with a live auth session in; each request reads role and session from the database.
 * @throws AppError unauthenticated (no cookie), invalid_token (expired, forged, signed out), forbidden (not
 * an administrator), mfa_required
 */
export async function checkQueueCookie(
  context: IdentityContext,
  cookies: string | undefined,
): Promise<Principal> {
  const token = readCookie(cookies)
  if (token === undefined) throw new AppError('unauthenticated', 'The queue dashboard is not open for you.')
  const { sub, session_id: sessionId } = await verify(context, token)
  // The dashboard polls by itself, which must not count as activity of the session.
  const verdict = await findLiveSession(context, sub, sessionId)
  const principal = requireLive(verdict, 'Your session has ended.')
  requireAdmin(context, principal)
  return principal
}

async function verify(context: IdentityContext, token: string): Promise<{ sub: string; session_id: string }> {
  try {
    const { payload } = await verifyWithAnyKey(context, token, {
      issuer: context.config.http.publicUrl,
      audience: AUDIENCE,
      requiredClaims: ['exp'],
    })
    const sessionId = payload['session_id']
    if (isUuid(payload.sub) && isUuid(sessionId)) return { sub: payload.sub, session_id: sessionId }
  } catch (error) {
    if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error
  }
  throw new AppError('invalid_token', 'The time for the queue dashboard is over.')
}

function readCookie(header: string | undefined): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [name = '', value] = part.trim().split('=', 2)
    if (name === COOKIE && value !== undefined && value !== '') return value
  }
  return undefined
}
