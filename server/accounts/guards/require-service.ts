import type { AdminPermission } from '#core/contract/accounts/admin-role.ts'
import type { AuditActor } from '#core/data/schema/account-tables.ts'
import { identifyBearer } from '#server/identity/identify-bearer.ts'
import type { IdentityContext } from '#server/identity/identity-context.ts'
import { hasPermission, judgeAdmin } from '#server/identity/judge-admin.ts'
import { judgeServiceKey } from '#server/identity/judge-service-key.ts'
import { AuthError, sessionNotFound } from '../wire/auth-error.ts'
import { requireLive } from './require-session.ts'

/** The administrator as the audit log names them: the service's own key, or a person of the product. */
export interface Administrator {
  actor: Extract<AuditActor, 'service' | 'admin'>
  /** null for the service's own key */
  actor_id: string | null
}

/**
 * Lets administrators in: the bearer of a service key, or a signed-in administrator whose role includes what the call
 * needs, with a second factor if the policy asks for it.
 * @throws AuthError no_authorization, bad_jwt, session_not_found, not_admin
 */
export async function requireService(
  context: IdentityContext,
  authorization: string | undefined,
  needs: AdminPermission,
): Promise<Administrator> {
  const key = await judgeServiceKey(context, authorization)
  if (key === 'service') return { actor: 'service', actor_id: null }
  if (key === 'session_ended') throw sessionNotFound()
  const bearer = await identifyBearer(context, authorization)
  // The app's public key is refused like the token of anybody who is no administrator.
  if (bearer.state === 'no_subject') throw notAdmin()
  const principal = requireLive(bearer)
  switch (judgeAdmin(context, principal)) {
    case 'allowed':
      if (!hasPermission(principal, needs))
        throw new AuthError(403, 'not_admin', 'User not allowed with this role of an administrator')
      return { actor: 'admin', actor_id: principal.user_id }
    case 'not_admin':
      throw notAdmin()
    case 'factor_needed':
    case 'factor_owed':
      throw new AuthError(403, 'not_admin', 'User not allowed without a second factor')
  }
}

function notAdmin(): AuthError {
  return new AuthError(403, 'not_admin', 'User not allowed')
}
