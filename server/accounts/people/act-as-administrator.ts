import type { AdminPermission } from '#core/contract/accounts/admin-role.ts'
import { normaliseEmail } from '#core/domain/accounts/validate-email.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '#server/context.ts'
import type { Caller } from '#server/identity/caller.ts'
import { findPrincipals } from '#server/identity/data/principals.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import { hasPermission } from '#server/identity/judge-admin.ts'
import { findUserByEmail } from './data/users.ts'

/** No session: an operator has signed in to a machine, and not to Leadwire. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000'

/**
 * The administrator in whose name an operator with access to the database changes something. The audit log names them,
 * and their role must allow it, as in the API.
 * @throws AppError not_found, forbidden
 */
export async function actAsAdministrator(
  { db, config }: Pick<ServerContext, 'db' | 'config'>,
  email: string,
  needs: AdminPermission,
  from: Caller,
): Promise<{ caller: Principal; from: Caller }> {
  const user = await findUserByEmail(db, normaliseEmail(email))
  const named = user === undefined ? [] : [{ user_id: user.id, session_id: null }]
  const [found] = await findPrincipals(db, named, config.auth.inactivitySeconds)
  if (found?.role !== 'admin') throw new AppError('not_found', 'No administrator has the address of --as.')
  if (found.is_blocked) throw new AppError('forbidden', 'The administrator of --as is banned or suspended.')
  if (!hasPermission(found, needs))
    throw new AppError('forbidden', `The role of the administrator of --as does not include: ${needs}.`)
  const {
    user_id,
    account_id,
    member_role,
    role,
    admin_role,
    email: address,
    is_anonymous,
    is_approved,
  } = found
  const caller: Principal = {
    user_id,
    person_id: user_id,
    account_id,
    member_role,
    session_id: NO_SESSION,
    role,
    admin_role,
    email: address,
    aal: 'aal1',
    owes_factor: false,
    is_anonymous,
    is_approved,
  }
  return { caller, from }
}
