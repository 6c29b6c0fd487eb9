import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { claimSend } from '../codes/claim-send.ts'
import { updateUser } from '../people/data/users.ts'
import { issueOneTime, queueOneTimeMail } from '../codes/issue-one-time.ts'

/**
 * Mails the address of a new account if its provider does not vouch for it.
 * @returns what the person is told: a mail is on its way, either an earlier one or this one
 */
export async function askForConfirmation(
  context: AuthContext,
  account: { user_id: string; email: string },
  { provider, redirectTo, caller }: { provider: string; redirectTo: string; caller: Caller },
): Promise<AuthError> {
  const { user_id, email } = account
  const message = `Unverified email with ${provider}. A confirmation email has been sent to your ${provider} email`
  const told = new AuthError(422, 'provider_email_needs_verification', message)
  try {
    await claimSend(context, { kind: 'mail', purpose: 'confirmation', address: email }, caller)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    // Within the gap the earlier mail still works. If the whole service may send no more, the person is told
    // so.
    return error.limit === 'send_gap' ? told : error
  }
  await context.db.transaction().execute(async (trx) => {
    const secrets = await issueOneTime(context, trx, { user_id, kind: 'confirmation', sentTo: email })
    await queueOneTimeMail(context, trx, {
      user_id,
      template: 'account_confirm',
      to: email,
      secrets,
      link: { type: 'signup', redirectTo },
    })
    await updateUser(trx, user_id, { confirmation_sent_at: new Date() })
  })
  return told
}
