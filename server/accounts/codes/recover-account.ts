import type { AuthContext } from '../auth-context.ts'
import type { Caller } from '#server/identity/caller.ts'
import { claimSend } from './claim-send.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { findUserByEmail, updateUser } from '../people/data/users.ts'
import { withMinimumDuration } from '../guards/with-minimum-duration.ts'
import { beginMailFlow, mailOneTime, type Onward } from './mail-one-time.ts'
import { readEmail } from '../wire/read-address.ts'

/**
 * Mails a link and a code that sign in to choose a new password. An unknown address gets the same answer
 * after the same time.
 */
export async function recoverAccount(
  context: AuthContext,
  given: { email: string },
  onward: Onward,
  caller: Caller,
): Promise<void> {
  const email = readEmail(given.email)
  await claimSend(context, { kind: 'mail', purpose: 'sign_in', address: email }, caller)
  await withMinimumDuration(context, () =>
    context.db.transaction().execute(async (trx) => {
      const user = await findUserByEmail(trx, email)
      if (user === undefined) return
      await updateUser(trx, user.id, { recovery_sent_at: new Date() })
      await mailOneTime(context, trx, {
        user_id: user.id,
        kind: 'recovery',
        template: 'account_recovery',
        type: 'recovery',
        to: email,
        redirectTo: onward.redirectTo,
        flow_id: await beginMailFlow(trx, user.id, 'recovery', onward),
      })
      await writeAudit(trx, { action: 'recovery_requested', user_id: user.id, actor: 'nobody', caller })
    }),
  )
}
