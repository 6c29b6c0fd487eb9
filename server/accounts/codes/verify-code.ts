import type { OneTimeKind } from '#core/data/schema/proof-tables.ts'
import { acceptOneTime } from './accept-one-time.ts'
import type { AuthContext } from '../auth-context.ts'
import { limitParallelEach } from '#core/concurrency/limit-parallel-each.ts'
import { AuthError, tooManyRequests } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { hasLiveCode } from './data/one-time-tokens.ts'
import type { LiveSession } from '../sessions/describe-session.ts'
import { withMinimumDuration } from '../guards/with-minimum-duration.ts'
import { MOST_WRONG_CODES } from './one-time-code.ts'
import { judgeTypedCode } from './judge-typed-code.ts'
import { startSession } from '../sessions/start-session.ts'

/**
 * All requests for one account wait for one row: more of them at once would only hold database connections
 * that others need.
 */
const inLane = limitParallelEach(2, 1000, () => tooManyRequests(10))

/**
 * Trades a typed code for a session.
 * @param given.sentTo the e-mail address, or the phone (digits only)
 * @returns undefined if the other address of an e-mail change has not agreed yet
 */
export async function verifyCode(
  context: AuthContext,
  given: { kinds: readonly OneTimeKind[]; sentTo: string; code: string },
  caller: Caller,
): Promise<LiveSession | undefined> {
  const { db } = context
  const { kinds, sentTo, code } = given
  return await withMinimumDuration(context, async () => {
    // One transaction: a failure half way leaves the code as it was. A wrong code is an outcome and not an
    // error, so that its count is committed.
    const outcome = await inLane(sentTo, async () => {
      if (!(await hasLiveCode(db, { sent_to: sentTo, kinds, mostWrong: MOST_WRONG_CODES }))) return 'refused'
      return await db.transaction().execute(async (trx) => {
        const token = await judgeTypedCode(context, trx, { kinds, sentTo, code, actor: 'nobody' }, caller)
        if (token === undefined) return 'refused'
        const acceptance = await acceptOneTime(context, trx, token, caller)
        if (acceptance === 'stale') throw codeRefused()
        if (acceptance === 'half') return undefined
        return await startSession(trx, token.user_id, { method: 'otp' }, caller)
      })
    })
    if (outcome === 'refused') throw codeRefused()
    return outcome
  })
}

function codeRefused(): AuthError {
  return new AuthError(403, 'otp_expired', 'Token has expired or is invalid')
}
