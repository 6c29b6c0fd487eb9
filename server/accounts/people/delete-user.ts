import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { removeErasedBytes } from '#core/use-cases/files/remove-freed-bytes.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { lockAccount } from './data/accounts.ts'
import { partFromAccount } from '../members/part-from-account.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { deleteAccount, eraseAccount } from './data/erase-account.ts'
import type { Administrator } from '../guards/require-service.ts'
import { refuseLastOwner, userNotFound } from './update-user-by-admin.ts'

const HELD = {
  has_people: 'Other people belong to this account. They must leave it first.',
  last_owner: 'The user is the last owner of an account. It must be handed over first.',
} as const

/**
 * Deletes an account with all that it owns; or, softly, erases the person and keeps the id.
 * @throws AuthError user_not_found; conflict for the last owner, for an account with other people, or if leads or sources
 * still refer to it
 */
export async function deleteUser(
  context: AuthContext,
  userId: string,
  { isSoft }: { isSoft: boolean },
  administrator: Administrator,
  caller: Caller,
): Promise<void> {
  const remove = (): Promise<string[]> =>
    context.db.transaction().execute(async (trx) => {
      if ((await lockAccount(trx, userId)) === undefined) throw userNotFound()
      await refuseLastOwner(trx, userId)
      const held = await partFromAccount(trx, userId, administrator.actor_id ?? userId)
      if (held !== undefined) throw new AuthError(409, 'conflict', HELD[held])
      const details = { soft: isSoft }
      await writeAudit(trx, { action: 'user_deleted', user_id: userId, ...administrator, caller, details })
      if (isSoft) return await eraseAccount(trx, userId, administrator.actor_id ?? userId)
      return await deleteAccount(trx, userId)
    })
  const freed = await repeatOnConflict(remove).catch((error: unknown) => {
    const { code } = error as { code?: unknown }
    // restrict_violation or foreign_key_violation, depending on the key.
    if (code !== '23503' && code !== '23001') throw error
    throw new AuthError(
      409,
      'conflict',
      'The user has leads, sources or payments, whose history would be lost. Delete it with should_soft_delete, which erases the person and keeps the id.',
    )
  })
  await removeErasedBytes(context, freed)
}
