import type { AuthContext } from '../auth-context.ts'
import { AuthError, validationFailed } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { claimSend, type Sending } from './claim-send.ts'
import { readAccount } from '../people/data/accounts.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { updateUser } from '../people/data/users.ts'
import { issueOneTime, queueOneTimeMail } from './issue-one-time.ts'
import { issuePhoneCode, requirePhoneProvider, sendPhoneCode } from '../sms/phone-code.ts'
import type { Principal } from '#server/identity/find-live-session.ts'

/**
 * Sends the signed-in person a code. It proves, for one change of the password, that they are still the same
 * person.
 */
export async function reauthenticate(
  context: AuthContext,
  { user_id, session_id }: Principal,
  caller: Caller,
): Promise<{ message_id?: string }> {
  const sending = await chooseAddress(context, user_id)
  const { kind, address } = sending
  if (kind === 'sms') requirePhoneProvider(context, address)
  await claimSend(context, sending, caller)
  const code = await context.db.transaction().execute(async (trx) => {
    await updateUser(trx, user_id, { reauthentication_sent_at: new Date() })
    await writeAudit(trx, { action: 'reauthentication_requested', user_id, session_id, caller })
    if (kind === 'sms')
      return await issuePhoneCode(context, trx, { user_id, kind: 'reauthentication', phone: address })
    const secrets = await issueOneTime(context, trx, { user_id, kind: 'reauthentication', sentTo: address })
    const template = 'account_reauthentication'
    await queueOneTimeMail(context, trx, { user_id, template, to: address, secrets, link: null })
    return secrets.code
  })
  if (kind === 'mail') return {}
  return await sendPhoneCode(context, { ...sending, kind }, { code, channel: 'sms' })
}

/** Prefers the mailbox to the phone; either must be confirmed. */
async function chooseAddress(context: AuthContext, userId: string): Promise<Sending> {
  const user = (await readAccount(context.db, userId)).user
  const purpose = 'reauthentication'
  if (user.email !== null) {
    if (user.email_confirmed_at === null)
      throw new AuthError(422, 'email_not_confirmed', 'Please verify your email first.')
    return { kind: 'mail', purpose, address: user.email }
  }
  if (user.phone !== null) {
    if (user.phone_confirmed_at === null)
      throw new AuthError(422, 'phone_not_confirmed', 'Please verify your phone first.')
    return { kind: 'sms', purpose, address: user.phone }
  }
  throw validationFailed('Reauthentication requires the user to have an email or a phone number')
}
