import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import type { Caller } from '#server/identity/caller.ts'
import type { LiveSession } from '../sessions/describe-session.ts'
import { startSession } from '../sessions/start-session.ts'
import { askForConfirmation } from './ask-for-confirmation.ts'
import type { Resolution } from './resolve-account.ts'

/**
 * Finds the account of a proof and opens the session in the same transaction; for grants, which answer
 * instead of redirecting.
 * @throws AuthError after the transaction has committed: the proof is used up, and a new account exists
 */
export async function openSession(
  context: AuthContext,
  end: { method: string; provider: string; redirectTo: string; caller: Caller },
  resolve: (trx: Db) => Promise<Resolution>,
): Promise<LiveSession> {
  const { method, caller } = end
  const opened = await context.db.transaction().execute(async (trx) => {
    const resolution = await resolve(trx)
    if (!('user_id' in resolution)) return resolution
    return { live: await startSession(trx, resolution.user_id, { method }, caller) }
  })
  if ('refused' in opened) throw opened.refused
  if ('unconfirmed' in opened) throw await askForConfirmation(context, opened.unconfirmed, end)
  return opened.live
}
