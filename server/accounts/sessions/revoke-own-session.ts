import type { Caller } from '#server/identity/caller.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { deleteSessionOfUser } from './data/sessions.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import type { ServerContext } from '#server/context.ts'

/** Ends one of the caller's sessions at once. @returns false if the caller has none with this id */
export async function revokeOwnSession(
  context: ServerContext,
  caller: Principal,
  sessionId: string,
  from: Caller,
): Promise<boolean> {
  return await context.db.transaction().execute(async (trx) => {
    const isGone = await deleteSessionOfUser(trx, caller.user_id, sessionId)
    if (isGone) {
      await writeAudit(trx, {
        action: 'session_revoked',
        user_id: caller.user_id,
        session_id: sessionId,
        caller: from,
        details: { by_session_id: caller.session_id },
      })
    }
    return isGone
  })
}
