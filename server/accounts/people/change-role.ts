import type { Kysely } from 'kysely'
import type { AdminRole } from '#core/contract/accounts/admin-role.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { Caller } from '#server/identity/caller.ts'
import { isUserBlocked } from '#server/identity/data/blocks.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { sharesAccount } from '../admin/forget-registration.ts'
import { findRole, isLastOwner, setRole } from './data/roles.ts'
import { findUserByEmail, lockUser } from './data/users.ts'
import { isUuid } from '#server/identity/is-uuid.ts'

export type RoleChange =
  | { result: 'changed' | 'unchanged'; user_id: string }
  | { result: 'refused'; reason: 'unknown' | 'unconfirmed' | 'blocked' | 'member' | 'last_owner' }

/**
 * Makes an account an administrator with this role, or a client again, for operators with access to the database.
 * Takes effect with the account's next request.
 * @param account its id, or its normalised address; accounts of a company's single sign-on have only their id
 * @param role null: a client
 */
export async function changeRole(
  db: Kysely<Database>,
  { account, role }: { account: string; role: AdminRole | null },
  caller: Caller,
): Promise<RoleChange> {
  return await db.transaction().execute(async (trx) => {
    const id = isUuid(account) ? account : (await findUserByEmail(trx, account))?.id
    const user = id === undefined ? undefined : await lockUser(trx, id)
    if (user === undefined) return { result: 'refused', reason: 'unknown' }
    if (role !== null) {
      // A person who registered an address without owning it must not become administrator in the owner's
      // place.
      if (user.email_confirmed_at === null) return { result: 'refused', reason: 'unconfirmed' }
      if (await isUserBlocked(trx, user.id)) return { result: 'refused', reason: 'blocked' }
      if (await sharesAccount(trx, user.id)) return { result: 'refused', reason: 'member' }
    }
    if (role !== 'owner' && (await isLastOwner(trx, user.id)))
      return { result: 'refused', reason: 'last_owner' }
    const from = await findRole(trx, user.id)
    if (from === role) return { result: 'unchanged', user_id: user.id }
    await setRole(trx, user.id, role)
    await writeAudit(trx, {
      action: 'role_changed',
      user_id: user.id,
      actor: 'service',
      caller,
      details: { before: { role: from ?? 'client' }, after: { role: role ?? 'client' } },
    })
    return { result: 'changed', user_id: user.id }
  })
}
