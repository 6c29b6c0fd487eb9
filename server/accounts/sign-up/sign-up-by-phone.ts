import type { Metadata } from '#core/data/schema/account-tables.ts'
import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { refuseWeakPassword } from '../passwords/check-password.ts'
import { claimSend } from '../codes/claim-send.ts'
import { mergeMetadata } from '../people/clean-metadata.ts'
import { readAccount } from '../people/data/accounts.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { findUserByPhone, lockUser, updateUser } from '../people/data/users.ts'
import { hashFirstPassword } from '../passwords/hash-first-password.ts'
import { hashPassword } from '../passwords/hash-password.ts'
import { imagineAccount, showClaimed, type Claim } from './imagine-account.ts'
import { withMinimumDuration } from '../guards/with-minimum-duration.ts'
import { issuePhoneCode, requirePhoneProvider, sendPhoneCodeLater, type Channel } from '../sms/phone-code.ts'
import { readPhone } from '../wire/read-address.ts'
import { createPhoneAccount } from './create-phone-account.ts'
import type { SignedUp } from './sign-up.ts'
import { startSession } from '../sessions/start-session.ts'

interface NewClient {
  phone: string
  password_hash: string | null
  data: Metadata
}

/**
 * Creates a client's account by phone: signed in at once if phones need no confirmation, else after a code.
 */
export async function signUpByPhone(
  context: AuthContext,
  given: { phone: string; password: string; data: Metadata; channel: Channel },
  caller: Caller,
): Promise<SignedUp> {
  const phone = readPhone(given.phone)
  await refuseWeakPassword(context, given.password)
  const data = mergeMetadata({}, given.data)
  if (context.config.auth.phone.autoconfirm) {
    const password_hash = await hashPassword(given.password, context.config.auth.password.hashCost)
    return await signUpAtOnce(context, { phone, password_hash, data }, caller)
  }
  requirePhoneProvider(context, phone)
  await claimSend(context, { kind: 'sms', purpose: 'confirmation', address: phone }, caller)
  const known = await findUserByPhone(context.db, phone)
  const unproven = known?.phone_confirmed_at === null ? known : undefined
  const password_hash = await hashFirstPassword(given.password, {
    waiting: unproven,
    isTaken: known !== undefined,
    cost: context.config.auth.password.hashCost,
  })
  const waiting = await withMinimumDuration(context, () =>
    context.db.transaction().execute(async (trx) => {
      const claim = await claimAccount(trx, { phone, password_hash, data }, caller)
      if (claim === undefined) return undefined
      const user_id = claim.id
      await updateUser(trx, user_id, { confirmation_sent_at: new Date() })
      const code = await issuePhoneCode(context, trx, { user_id, kind: 'phone_confirmation', phone })
      return { code, account: showClaimed(await readAccount(trx, user_id), claim, { phone }, data) }
    }),
  )
  if (waiting === undefined) return { account: imagineAccount({ phone }, data) }
  sendPhoneCodeLater(context, { phone, code: waiting.code, channel: given.channel })
  return { account: waiting.account }
}

async function signUpAtOnce(context: AuthContext, client: NewClient, caller: Caller): Promise<SignedUp> {
  const live = await context.db.transaction().execute(async (trx) => {
    const user_id = await createPhoneAccount(trx, { ...client, isConfirmed: true })
    if (user_id === undefined) return undefined
    await writeAudit(trx, { action: 'signed_up', user_id, caller, details: { method: 'phone' } })
    return await startSession(trx, user_id, { method: 'password' }, caller)
  })
  if (live === undefined) throw new AuthError(422, 'user_already_exists', 'User already registered')
  return { live }
}

/**
 * Finds the account to confirm: a new account, or one that nobody has confirmed. The latter keeps its password only if
 * the caller knows it.
 */
async function claimAccount(db: Db, client: NewClient, caller: Caller): Promise<Claim | undefined> {
  const created = await createPhoneAccount(db, { ...client, isConfirmed: false })
  if (created !== undefined) {
    await writeAudit(db, { action: 'signed_up', user_id: created, caller, details: { method: 'phone' } })
    return { id: created, was: 'made' }
  }
  const known = await findUserByPhone(db, client.phone)
  const waiting = known === undefined ? undefined : await lockUser(db, known.id)
  if (waiting === undefined || waiting.phone_confirmed_at !== null) return undefined
  const isNobodys = waiting.email_confirmed_at === null && waiting.last_sign_in_at === null
  if (isNobodys && client.password_hash !== waiting.password_hash)
    await updateUser(db, waiting.id, { password_hash: null })
  return { id: waiting.id, was: isNobodys ? 'waiting' : 'somebodys' }
}
