import type { AuthContext } from '../auth-context.ts'
import type { Caller } from '#server/identity/caller.ts'
import { claimSend } from './claim-send.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { findUserByEmail, findUserInChange } from '../people/data/users.ts'
import { withMinimumDuration } from '../guards/with-minimum-duration.ts'
import { mailEmailChange } from './mail-email-change.ts'
import type { Onward } from './mail-one-time.ts'
import { readEmail } from '../wire/read-address.ts'
import { mailConfirmation } from '../sign-up/sign-up.ts'

/**
 * Repeats the mail that somebody waits for. If nobody waits for one, or the address is unknown, the answer
 * and its time are the same.
 */
export async function resendMail(
  context: AuthContext,
  given: { type: 'signup' | 'email_change'; email: string },
  onward: Onward,
  caller: Caller,
): Promise<void> {
  const address = readEmail(given.email)
  const purpose = given.type === 'signup' ? 'confirmation' : 'email_change'
  await claimSend(context, { kind: 'mail', purpose, address }, caller)
  await withMinimumDuration(context, () =>
    context.db.transaction().execute(async (trx) => {
      const user =
        given.type === 'signup'
          ? await findUserByEmail(trx, address)
          : await findUserInChange(trx, 'email', address)
      if (user === undefined) return
      if (given.type === 'signup') {
        if (user.email_confirmed_at !== null) return
        await mailConfirmation(context, trx, { id: user.id, email: address }, onward)
      } else {
        if (user.new_email === null) return
        await mailEmailChange(context, trx, user, user.new_email, onward)
      }
      const details = { type: given.type }
      await writeAudit(trx, { action: 'code_requested', user_id: user.id, actor: 'nobody', caller, details })
    }),
  )
}
