import type { AuditActor } from '#core/data/schema/account-tables.ts'
import type { AuthContext } from '../accounts/auth-context.ts'
import { AuthError } from '../accounts/wire/auth-error.ts'
import { findRole } from './data/principals.ts'
import { findSession } from '../accounts/sessions/data/sessions.ts'
import { isUuid } from './is-uuid.ts'
import { readBearer, verifyAccessToken } from './access-token.ts'
import { requireSession } from './require-session.ts'

/** Who administers, for the audit log: the service's own key, or a person of the product. */
export interface Administrator {
  actor: Extract<AuditActor, 'service' | 'admin'>
  /** null for the service's own key */
  actor_id: string | null
}

/**
 * Lets administrators in: the bearer of a service key, or a signed-in administrator of the product, who needs a second factor where
 * the policy asks for it.
 * @throws AuthError no_authorization, bad_jwt, session_not_found, not_admin
 */
export async function requireService(
  context: AuthContext,
  authorization: string | undefined,
): Promise<Administrator> {
  const token = readBearer(authorization)
  const verified = token === undefined ? undefined : await verifyAccessToken(context, token)
  if (verified?.ok === true) {
    const { isService, session_id, sub } = verified.claims
    if (isService) {
      if (session_id !== undefined && !(isUuid(session_id) && (await findSession(context.db, session_id))))
        throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
      return { actor: 'service', actor_id: null }
    }
    // The app's public key: a good token, of nobody.
    if (sub === undefined) throw notAdmin()
  }
  const { user_id, aal, owes_factor } = await requireSession(context, authorization)
  if ((await findRole(context.db, user_id)) !== 'admin') throw notAdmin()
  if (owes_factor || (context.config.auth.mfa.isRequiredOfAdmins && aal !== 'aal2'))
    throw new AuthError(403, 'not_admin', 'User not allowed without a second factor')
  return { actor: 'admin', actor_id: user_id }
}

function notAdmin(): AuthError {
  return new AuthError(403, 'not_admin', 'User not allowed')
}
