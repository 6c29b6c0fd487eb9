import { deleteSession, deleteSessionsOfUser } from './data/sessions.ts'
import type { Caller } from '#server/identity/caller.ts'
import { writeAudit } from '../audit/audit-log.ts'
import type { AuthContext } from '../auth-context.ts'
import type { Principal } from '#server/identity/find-live-session.ts'

export const SIGN_OUT_SCOPES = ['global', 'local', 'others'] as const
export type SignOutScope = (typeof SIGN_OUT_SCOPES)[number]

/** Ends sessions at once: their access tokens stop working here although their signatures stay valid. */
export async function signOut(
  context: AuthContext,
  holder: Principal,
  scope: SignOutScope,
  caller: Caller,
): Promise<void> {
  const { user_id, session_id } = holder
  await context.db.transaction().execute(async (trx) => {
    await writeAudit(trx, { action: 'signed_out', user_id, session_id, caller, details: { scope } })
    if (scope === 'local') await deleteSession(trx, session_id)
    else await deleteSessionsOfUser(trx, user_id, scope === 'others' ? session_id : null)
  })
}
