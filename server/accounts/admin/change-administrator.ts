import type { AdminPerson } from '#core/contract/accounts/admin-people.ts'
import type { AdminRole } from '#core/contract/accounts/admin-role.ts'
import { AppError } from '#core/errors.ts'
import type { Db } from '#core/data/database.ts'
import type { ServerContext } from '#server/context.ts'
import { findRole, setRole } from '../people/data/roles.ts'
import { deleteSessionsOfUser } from '../sessions/data/sessions.ts'
import { auditPerson, changePerson, keepAnOwner, tellRole, type By } from './change-person.ts'
import { findInvitedRole, setInvitedRole } from './data/invitations.ts'
import { requirePerson } from './show-people.ts'

/** Gives an administrator, or somebody who is invited, another role, from their next request on. */
export async function changeAdministrator(
  context: ServerContext,
  by: By,
  id: string,
  { admin_role: role, reason }: { admin_role: AdminRole; reason: string },
): Promise<AdminPerson> {
  await changePerson(context, id, async (trx) => {
    const { before, isInvited } = await requireAdministrator(trx, id)
    if (before === role) return
    if (!isInvited && before === 'owner') await keepAnOwner(trx, id)
    await (isInvited ? setInvitedRole : setRole)(trx, id, role)
    const details = { before: { role: before }, after: { role }, note: reason }
    await auditPerson(trx, by, { action: 'administrator_role_changed', user_id: id, details })
    if (!isInvited) await tellRole(trx, id, role, `${role} ${new Date().toISOString()}`)
  })
  return await requirePerson(context, id)
}

/**
 * Takes the rights of an administrator away, or an invitation back. Sessions end at once; the account stays, as a
 * client's.
 * @throws AppError not_found, conflict for the last owner
 */
export async function removeAdministrator(
  context: ServerContext,
  by: By,
  id: string,
  reason: string,
): Promise<void> {
  await changePerson(context, id, async (trx) => {
    const { before, isInvited } = await requireAdministrator(trx, id)
    await keepAnOwner(trx, id)
    if (isInvited) await setInvitedRole(trx, id, null)
    else {
      await setRole(trx, id, null)
      await deleteSessionsOfUser(trx, id, null)
      await tellRole(trx, id, null, `none ${new Date().toISOString()}`)
    }
    const details = { before: { role: before }, after: { role: 'client' }, note: reason }
    await auditPerson(trx, by, { action: 'administrator_removed', user_id: id, details })
  })
}

async function requireAdministrator(trx: Db, id: string): Promise<{ before: AdminRole; isInvited: boolean }> {
  const role = await findRole(trx, id)
  const before = role ?? (await findInvitedRole(trx, id))
  if (before === null) throw new AppError('not_found', 'This person is no administrator.')
  return { before, isInvited: role === null }
}
