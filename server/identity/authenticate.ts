import type { Role } from '#core/contract/accounts/account.ts'
import { AppError } from '#core/errors.ts'
import { readBearer, verifyAccessToken } from './access-token.ts'
import type { AuthContext } from '../accounts/auth-context.ts'
import { findPrincipal } from './data/principals.ts'
import { touchSession } from '../accounts/sessions/data/sessions.ts'
import { isUuid } from './is-uuid.ts'

/** Who a request comes from, by the database's word: a token proves identity and session, never a role. */
export interface Principal {
  user_id: string
  session_id: string
  role: Role
  email: string
  /** aal2: the session was proven by a second factor too */
  aal: 'aal1' | 'aal2'
  /** the account has a second factor, and the session was not proven by it */
  owes_factor: boolean
}

/**
 * Resolves an `Authorization` header to a signed-in user.
 * @throws AppError unauthenticated (no token), invalid_token (bad, expired, signed out, account gone), forbidden (blocked)
 */
export async function authenticate(
  context: AuthContext,
  authorization: string | undefined,
): Promise<Principal> {
  const token = readBearer(authorization)
  if (token === undefined) throw new AppError('unauthenticated', 'This request needs a bearer access token.')
  const verified = await verifyAccessToken(context, token)
  const claims = verified.ok ? verified.claims : undefined
  if (!isUuid(claims?.sub) || !isUuid(claims.session_id)) {
    throw new AppError('invalid_token', 'The access token is not valid or has expired.')
  }
  const { inactivitySeconds } = context.config.auth
  const found = await findPrincipal(context.db, claims.sub, claims.session_id, inactivitySeconds)
  if (found === undefined || found.session_id === null || found.aal === null || found.has_rested) {
    throw new AppError('invalid_token', 'The session of this access token has ended.')
  }
  if (found.is_blocked) throw new AppError('forbidden', 'This account is suspended.')
  if (found.needs_touch) await touchSession(context.db, found.session_id)
  const { user_id, session_id, role, email, aal } = found
  return { user_id, session_id, role, email, aal, owes_factor: found.has_factor && aal !== 'aal2' }
}

/** @throws AppError forbidden unless the principal has the role */
export function requireRole(principal: Pick<Principal, 'role'>, role: Role): void {
  if (principal.role !== role) throw new AppError('forbidden', `This needs the role ${role}.`)
}
