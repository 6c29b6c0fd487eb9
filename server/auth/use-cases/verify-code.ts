import type { OneTimeKind } from '#core/data/auth-tables.ts'
import { acceptOneTime } from '../accept-one-time.ts'
import type { AuthContext } from '../auth-context.ts'
import { limitParallelEach } from '../../limit-parallel-each.ts'
import { AuthError, tooManyRequests } from '../auth-error.ts'
import type { Caller } from '../caller.ts'
import { writeAudit } from '../data/audit-log.ts'
import { takeTokenOfCode } from '../data/one-time-tokens.ts'
import type { LiveSession } from '../describe-session.ts'
import { inEvenTime } from '../in-even-time.ts'
import { macCode, MOST_WRONG_CODES } from '../one-time-code.ts'
import { startSession } from './start-session.ts'

/** They wait for one row anyway: more at once would only hold connections that others need. */
const inLane = limitParallelEach(2, 1000, () => tooManyRequests(10))

/**
 * Trades a code that was typed in for a session.
 * @param given.sentTo the e-mail address, or the phone (digits only)
 * @returns undefined when the other address of an e-mail change has to agree yet
 */
export async function verifyCode(
  context: AuthContext,
  given: { kinds: readonly OneTimeKind[]; sentTo: string; code: string },
  caller: Caller,
): Promise<LiveSession | undefined> {
  const { db, codeKey } = context
  const { kinds, sentTo, code } = given
  return await inEvenTime(async () => {
    const { token, wrongFor } = await inLane(sentTo, () =>
      takeTokenOfCode(db, {
        sent_to: sentTo,
        kinds,
        code_mac: macCode(codeKey, sentTo, code),
        mostWrong: MOST_WRONG_CODES,
      }),
    )
    if (token === undefined) {
      for (const user_id of wrongFor)
        await writeAudit(db, { action: 'code_failed', user_id, actor: 'nobody', caller })
      throw codeRefused()
    }
    return await db.transaction().execute(async (trx) => {
      const acceptance = await acceptOneTime(context, trx, token, caller)
      if (acceptance === 'stale') throw codeRefused()
      return acceptance === 'half'
        ? undefined
        : await startSession(trx, token.user_id, { method: 'otp' }, caller)
    })
  })
}

function codeRefused(): AuthError {
  return new AuthError(403, 'otp_expired', 'Token has expired or is invalid')
}
