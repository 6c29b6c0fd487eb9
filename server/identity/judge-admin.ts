import { PERMISSIONS_OF, type AdminPermission } from '#core/contract/accounts/admin-role.ts'
import type { IdentityContext } from './identity-context.ts'
import type { Principal } from './find-live-session.ts'

/**
 * `factor_needed`: the policy requires a second factor of every administrator (`AUTH_ADMIN_MFA`), and none
 * has proven the session; `factor_owed`: this account has one, which has not proven the session.
 */
export type AdminVerdict = 'allowed' | 'not_admin' | 'factor_needed' | 'factor_owed'

/** THE answer to "may this session administer?", for every API. */
export function judgeAdmin(
  { config }: Pick<IdentityContext, 'config'>,
  { role, aal, owes_factor }: Pick<Principal, 'role' | 'aal' | 'owes_factor'>,
): AdminVerdict {
  if (role !== 'admin') return 'not_admin'
  if (config.auth.mfa.isRequiredOfAdmins && aal !== 'aal2') return 'factor_needed'
  return owes_factor ? 'factor_owed' : 'allowed'
}

/** Whether the administrator's role includes this permission; never for a client. */
export function hasPermission(
  { admin_role: role }: Pick<Principal, 'admin_role'>,
  needs: AdminPermission,
): boolean {
  return role !== null && PERMISSIONS_OF[role].includes(needs)
}
