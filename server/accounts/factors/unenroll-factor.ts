import type { AuthContext } from '../auth-context.ts'
import { AuthError, sessionNotFound } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { deleteFactor } from './data/factors.ts'
import { forgetIdleRecoveryCodes } from './data/recovery-codes.ts'
import { lowerSessionsOfFactor } from '../sessions/data/session-levels.ts'
import { lockSession } from '../sessions/data/sessions.ts'
import { lockUser } from '../people/data/users.ts'
import { requireFactor } from './require-own-factor.ts'
import type { Principal } from '#server/identity/find-live-session.ts'

/** Removes a factor; the sessions that it had raised are back at aal1 at once. */
export async function unenrollFactor(
  context: AuthContext,
  holder: Principal,
  factorId: string,
  caller: Caller,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockUser(trx, holder.user_id)
    const session = await lockSession(trx, holder.session_id)
    if (session === undefined) throw sessionNotFound()
    const factor = await requireFactor(trx, holder.user_id, factorId)
    if (factor.status === 'verified' && session.aal !== 'aal2')
      throw new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor')
    await deleteFactor(trx, factor.id)
    await lowerSessionsOfFactor(trx, factor.id)
    await forgetIdleRecoveryCodes(trx, holder.user_id)
    await writeAudit(trx, {
      action: 'factor_removed',
      user_id: holder.user_id,
      session_id: session.id,
      caller,
      details: { factor_id: factor.id, factor_type: factor.factor_type, status: factor.status },
    })
  })
}
