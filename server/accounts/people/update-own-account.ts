import { changeEmail, changeMetadata, changePassword, changePhone, isImmediate } from './apply-own-changes.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, sessionNotFound, userGone } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { refuseWeakPassword } from '../passwords/check-password.ts'
import { claimSend, type Sending } from '../codes/claim-send.ts'
import { readAccount, type Account } from './data/accounts.ts'
import { findSession, lockSession, type Session } from '../sessions/data/sessions.ts'
import { lockUser, type User } from './data/users.ts'
import { hashPassword, verifyPassword } from '../passwords/hash-password.ts'
import type { Onward } from '../codes/mail-one-time.ts'
import {
  refuseImpossible,
  refuseTakenAddress,
  requireAdministrator,
  withoutRepeats,
  type OwnChanges,
} from './own-changes.ts'
import { requirePhoneProvider, sendPhoneCode } from '../sms/phone-code.ts'
import { requireSecondFactor } from '../guards/require-second-factor.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import { provePresence } from '../codes/prove-presence.ts'

type PhoneSending = Sending & { kind: 'sms' }

/**
 * Changes the bearer's own account. A password changes at once and ends the other sessions; an address
 * changes when it is confirmed.
 * The order of the refusals is part of the wire.
 */
export async function updateOwnAccount(
  context: AuthContext,
  holder: Principal,
  given: OwnChanges,
  onward: Onward,
  caller: Caller,
): Promise<Account> {
  const { db } = context
  const { user } = await readAccount(db, holder.user_id)
  const session = await findSession(db, holder.session_id)
  // The session ended after the bearer was checked.
  if (session === undefined) throw sessionNotFound()
  const wanted = withoutRepeats(user, given)
  const touchesWaysIn = given.email !== '' || given.phone !== '' || given.password !== ''
  if (touchesWaysIn) requireSecondFactor(holder)
  refuseImpossible(user, given, touchesWaysIn)
  if (given.app_metadata !== undefined) requireAdministrator(context, holder)
  await refuseTakenAddress(db, user, wanted)
  const password_hash =
    given.password === '' ? undefined : await newHash(context, user, session, given, caller)
  const sending = await claimPhone(context, wanted, caller)
  const isMailed = wanted.email !== '' && !isImmediate(context, user)
  if (isMailed)
    await claimSend(context, { kind: 'mail', purpose: 'email_change', address: wanted.email }, caller)

  const code = await db.transaction().execute(async (trx) => {
    const held = await lockUser(trx, user.id)
    if (held === undefined) throw userGone()
    // The session may have ended while the password was hashed: its owner may have shut out the caller.
    if ((await lockSession(trx, holder.session_id)) === undefined) throw sessionNotFound()
    if (password_hash !== undefined) await changePassword(trx, held, password_hash, holder, caller)
    await changeMetadata(trx, held, given, holder, caller)
    await changeEmail(context, trx, held.id, wanted.email, onward, holder, caller)
    return await changePhone(context, trx, held.id, wanted.phone, caller)
  })
  if (sending !== undefined && code !== undefined)
    await sendPhoneCode(context, sending, { code, channel: given.channel })
  return await readAccount(db, user.id)
}

async function newHash(
  context: AuthContext,
  user: User,
  session: Session,
  given: OwnChanges,
  caller: Caller,
): Promise<string> {
  await refuseWeakPassword(context, given.password)
  await provePresence(context, user, session, given, caller)
  if (
    user.password_hash !== null &&
    (await verifyPassword(given.password, user.password_hash, context.config.auth.password.hashCost))
  ) {
    const message = 'New password should be different from the old password.'
    throw new AuthError(422, 'same_password', message)
  }
  return await hashPassword(given.password, context.config.auth.password.hashCost)
}

async function claimPhone(
  context: AuthContext,
  { phone }: { phone: string },
  caller: Caller,
): Promise<PhoneSending | undefined> {
  if (phone === '' || context.config.auth.phone.autoconfirm) return undefined
  requirePhoneProvider(context, phone)
  const sending: PhoneSending = { kind: 'sms', purpose: 'phone_change', address: phone }
  await claimSend(context, sending, caller)
  return sending
}
