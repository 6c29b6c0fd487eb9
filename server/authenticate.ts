import type { Role } from '#core/contract/account.ts'
import { AppError } from '#core/errors.ts'
import { readBearer, verifyAccessToken } from './auth/access-token.ts'
import type { AuthContext } from './auth/auth-context.ts'
import { findPrincipal } from './auth/data/accounts.ts'
import { isUuid } from './auth/is-uuid.ts'

/** Who a request comes from, by the database's word: a token proves identity and session, never a role. */
export interface Principal {
  user_id: string
  session_id: string
  role: Role
  email: string
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
  if (!verified.ok || !isUuid(verified.sub) || !isUuid(verified.session_id)) {
    throw new AppError('invalid_token', 'The access token is not valid or has expired.')
  }
  const found = await findPrincipal(context.db, verified.sub, verified.session_id)
  if (found === undefined || found.session_id === null) {
    throw new AppError('invalid_token', 'The session of this access token has ended.')
  }
  if (found.is_blocked) throw new AppError('forbidden', 'This account is suspended.')
  return { user_id: found.user_id, session_id: found.session_id, role: found.role, email: found.email }
}

/** @throws AppError forbidden unless the principal has the role */
export function requireRole(principal: Principal, role: Role): void {
  if (principal.role !== role) throw new AppError('forbidden', `This needs the role ${role}.`)
}
