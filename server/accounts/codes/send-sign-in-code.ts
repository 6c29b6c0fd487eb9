import type { Metadata } from '#core/data/schema/account-tables.ts'
import type { AuthContext } from '../auth-context.ts'
import type { Caller } from '#server/identity/caller.ts'
import { claimSend } from './claim-send.ts'
import { mergeMetadata } from '../people/clean-metadata.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { findUserByPhone, lockUser, updateUser } from '../people/data/users.ts'
import type { Db } from '#core/data/database.ts'
import { issuePhoneCode, requirePhoneProvider, sendPhoneCode, type Channel } from '../sms/phone-code.ts'
import { readPhone } from '../wire/read-address.ts'
import { createPhoneAccount } from '../sign-up/create-phone-account.ts'
import { refuseStranger } from './send-magic-link.ts'

interface Wanted {
  phone: string
  data: Metadata
  createsUser: boolean
}

/**
 * Sends a phone a code that signs in. An unknown phone gets an account, if the caller wants one and sign-up
 * is open.
 */
export async function sendSignInCode(
  context: AuthContext,
  given: Wanted & { channel: Channel },
  caller: Caller,
): Promise<{ message_id?: string }> {
  const phone = readPhone(given.phone)
  const data = mergeMetadata({}, given.data)
  requirePhoneProvider(context, phone)
  const sending = { kind: 'sms', purpose: 'sign_in', address: phone } as const
  await claimSend(context, sending, caller)
  const code = await context.db.transaction().execute(async (trx) => {
    const user_id = await findOrCreate(context, trx, { ...given, phone, data }, caller)
    await updateUser(trx, user_id, { confirmation_sent_at: new Date() })
    await writeAudit(trx, { action: 'code_requested', user_id, actor: 'nobody', caller })
    return await issuePhoneCode(context, trx, { user_id, kind: 'phone_confirmation', phone })
  })
  return await sendPhoneCode(context, sending, { code, channel: given.channel })
}

async function findOrCreate(
  context: AuthContext,
  db: Db,
  { phone, data, createsUser }: Wanted,
  caller: Caller,
): Promise<string> {
  const found = await findUserByPhone(db, phone)
  const known = found === undefined ? undefined : await lockUser(db, found.id)
  if (known !== undefined) {
    // The code would let in the person who chose the password, as by mail (send-magic-link.ts).
    if (known.phone_confirmed_at === null && known.last_sign_in_at === null)
      await updateUser(db, known.id, { password_hash: null })
    return known.id
  }
  refuseStranger(createsUser, context.config.auth.isSignupDisabled)
  const created = await createPhoneAccount(db, { phone, password_hash: null, data, isConfirmed: false })
  if (created === undefined) {
    const other = await findUserByPhone(db, phone)
    if (other === undefined) throw new Error('a phone is taken by an account that cannot be found')
    return other.id
  }
  await writeAudit(db, { action: 'signed_up', user_id: created, caller, details: { method: 'phone' } })
  return created
}
