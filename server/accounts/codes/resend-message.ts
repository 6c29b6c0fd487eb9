import type { AuthContext } from '../auth-context.ts'
import type { Caller } from '#server/identity/caller.ts'
import { claimSend } from './claim-send.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { findUserByPhone, findUserInChange, updateUser } from '../people/data/users.ts'
import { withMinimumDuration } from '../guards/with-minimum-duration.ts'
import { issuePhoneCode, requirePhoneProvider, sendPhoneCodeLater } from '../sms/phone-code.ts'
import { readPhone } from '../wire/read-address.ts'

/**
 * Repeats the code that somebody waits for. If nobody waits for one, or the phone is unknown, the answer and
 * its time are the same.
 */
export async function resendMessage(
  context: AuthContext,
  given: { type: 'sms' | 'phone_change'; phone: string },
  caller: Caller,
): Promise<void> {
  const phone = readPhone(given.phone)
  requirePhoneProvider(context, phone)
  const isChange = given.type === 'phone_change'
  const purpose = isChange ? 'phone_change' : 'confirmation'
  await claimSend(context, { kind: 'sms', purpose, address: phone }, caller)
  const waiting = await withMinimumDuration(context, () =>
    context.db.transaction().execute(async (trx) => {
      const user = isChange ? await findUserInChange(trx, 'phone', phone) : await findUserByPhone(trx, phone)
      const sentTo = isChange ? user?.new_phone : user?.phone
      if (user === undefined || sentTo === undefined || sentTo === null) return undefined
      if (!isChange && user.phone_confirmed_at !== null) return undefined
      const sentAt = new Date()
      await updateUser(
        trx,
        user.id,
        isChange ? { phone_change_sent_at: sentAt } : { confirmation_sent_at: sentAt },
      )
      const kind = isChange ? 'phone_change' : 'phone_confirmation'
      const code = await issuePhoneCode(context, trx, { user_id: user.id, kind, phone: sentTo })
      const details = { type: given.type }
      await writeAudit(trx, { action: 'code_requested', user_id: user.id, actor: 'nobody', caller, details })
      return { code, phone: sentTo }
    }),
  )
  if (waiting !== undefined) sendPhoneCodeLater(context, { ...waiting, channel: 'sms' })
}
