import type { AuthContext } from '../auth-context.ts'
import { factorNotFound } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { lockAccount } from '../people/data/accounts.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { deleteFactorOfUser } from './data/delete-factor-of-user.ts'
import type { Factor } from './data/factors.ts'
import type { Administrator } from '../guards/require-service.ts'
import { userNotFound } from '../people/update-user-by-admin.ts'

/**
 * Removes a second factor from an account whose person has lost it; sessions that it had raised fall back to
 * aal1.
 * @throws AuthError user_not_found, mfa_factor_not_found
 */
export async function removeFactorByAdmin(
  context: AuthContext,
  { id, factorId }: { id: string; factorId: string },
  administrator: Administrator,
  caller: Caller,
): Promise<Factor> {
  return await context.db.transaction().execute(async (trx) => {
    if ((await lockAccount(trx, id)) === undefined) throw userNotFound()
    const factor = await deleteFactorOfUser(trx, { user_id: id, factor_id: factorId })
    if (factor === undefined) throw factorNotFound()
    await writeAudit(trx, {
      action: 'factor_removed',
      user_id: id,
      ...administrator,
      caller,
      details: { factor_id: factorId, factor_type: factor.factor_type },
    })
    return factor
  })
}
