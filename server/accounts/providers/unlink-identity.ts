import type { Updateable } from 'kysely'
import type { UsersTable } from '#core/data/schema/account-tables.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, sessionNotFound } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { type Identity, deleteIdentity, listIdentities, refreshProviders } from '../people/data/identities.ts'
import { deleteOneTimeTokens } from '../codes/data/one-time-tokens.ts'
import { lockSession } from '../sessions/data/sessions.ts'
import { findUserByEmail, updateUser, type User, lockUserAlone } from '../people/data/users.ts'
import type { Principal } from '#server/identity/find-live-session.ts'

/**
 * Removes an identity from the bearer's account; never the last one.
 * @throws AuthError identity_not_found, single_identity_not_deletable, email_conflict_identity_not_deletable
 */
export async function unlinkIdentity(
  context: Pick<AuthContext, 'db'>,
  holder: Principal,
  identityId: string,
  caller: Caller,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const user = await lockUserAlone(trx, holder.user_id)
    if ((await lockSession(trx, holder.session_id)) === undefined) throw sessionNotFound()
    const identities = await listIdentities(trx, holder.user_id)
    if (user === undefined || identities.length <= 1) {
      const message = 'User must have at least 1 identity after unlinking'
      throw new AuthError(422, 'single_identity_not_deletable', message)
    }
    const gone = identities.find(({ id }) => id === identityId.toLowerCase())
    if (gone === undefined) throw new AuthError(422, 'identity_not_found', "Identity doesn't exist")
    const others = identities.filter((identity) => identity !== gone)
    const changes = changesAfter(user, gone, others)
    const { email } = changes
    if (typeof email === 'string' && (await findUserByEmail(trx, email)) !== undefined) {
      const message = 'Unable to unlink identity due to email conflict'
      throw new AuthError(422, 'email_conflict_identity_not_deletable', message)
    }
    await deleteIdentity(trx, gone.id)
    // A link or code sent to the removed address would still sign in.
    if ('email' in changes || 'phone' in changes) await deleteOneTimeTokens(trx, user.id)
    await updateUser(trx, user.id, changes)
    await refreshProviders(trx, user.id)
    await writeAudit(trx, {
      action: 'identity_unlinked',
      user_id: user.id,
      session_id: holder.session_id,
      caller,
      details: { provider: gone.provider },
    })
  })
}

/**
 * The changes to an account that loses the identity: its phone, its password, its address unless another
 * identity has a verified one.
 */
function changesAfter(user: User, gone: Identity, others: readonly Identity[]): Updateable<UsersTable> {
  if (gone.provider === 'phone') return { phone: null, phone_confirmed_at: null }
  // A password belongs to the address it was chosen with: left behind, it would be a hidden way to sign in.
  const password = gone.provider === 'email' ? { password_hash: null } : {}
  const keepsEmail = user.email === null || others.some(({ email }) => email === user.email)
  if (keepsEmail || user.is_sso_user) return password
  const promoted = others.find(
    ({ email, identity_data }) => email !== null && identity_data['email_verified'] === true,
  )
  return promoted === undefined
    ? { ...password, email: null, email_confirmed_at: null }
    : { ...password, email: promoted.email, email_confirmed_at: new Date() }
}
