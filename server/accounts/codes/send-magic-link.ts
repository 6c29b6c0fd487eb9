import type { Metadata } from '#core/data/schema/account-tables.ts'
import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, signupDisabled } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { claimSend } from './claim-send.ts'
import { mergeMetadata } from '../people/clean-metadata.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { findUserByEmail, lockUser, updateUser, type User } from '../people/data/users.ts'
import { dropUnprovenWays } from '../sign-up/drop-unproven-ways.ts'
import { withMinimumDuration } from '../guards/with-minimum-duration.ts'
import { beginMailFlow, mailOneTime, type Onward } from './mail-one-time.ts'
import { readEmail } from '../wire/read-address.ts'
import { createAccount } from '../sign-up/create-account.ts'
import { mailConfirmation } from '../sign-up/sign-up.ts'

/**
 * Mails a link and a code that sign in. An unknown address gets an account, if the caller wants one and
 * sign-up is open, and the same step confirms it.
 * @throws AuthError otp_disabled for an unknown address that gets no account
 */
export async function sendMagicLink(
  context: AuthContext,
  given: { email: string; data: Metadata; createsUser: boolean },
  onward: Onward,
  caller: Caller,
): Promise<void> {
  const { auth } = context.config
  const email = readEmail(given.email)
  const data = mergeMetadata({}, given.data)
  await claimSend(context, { kind: 'mail', purpose: 'sign_in', address: email }, caller)
  await withMinimumDuration(context, () =>
    context.db.transaction().execute(async (trx) => {
      const known = await findUserByEmail(trx, email)
      // Locked and read again: another request may be confirming it.
      const user = known === undefined ? undefined : await lockUser(trx, known.id)
      if (user !== undefined) {
        await mailKnown(context, trx, { ...user, email }, onward, caller)
        return
      }
      refuseStranger(given.createsUser, auth.isSignupDisabled)
      const created = { email, password_hash: null, role: 'client', data, isConfirmed: false } as const
      const id = await createAccount(trx, created)
      // Another request created the account first and sends the mail.
      if (id === undefined) return
      await writeAudit(trx, { action: 'signed_up', user_id: id, caller, details: { method: 'magiclink' } })
      if (auth.email.autoconfirm) await mailLink(context, trx, { id, email }, onward)
      else await mailConfirmation(context, trx, { id, email }, onward)
    }),
  )
}

async function mailKnown(
  context: AuthContext,
  db: Db,
  user: User & { email: string },
  onward: Onward,
  caller: Caller,
): Promise<void> {
  const isConfirmed = user.email_confirmed_at !== null
  if (isConfirmed || context.config.auth.email.autoconfirm) await mailLink(context, db, user, onward)
  else {
    // Confirming would let in the person who chose the password, and nobody knows who that was.
    if (user.last_sign_in_at === null) await dropUnprovenWays(db, user)
    await mailConfirmation(context, db, user, onward)
  }
  await writeAudit(db, { action: 'magic_link_requested', user_id: user.id, actor: 'nobody', caller })
}

async function mailLink(
  context: AuthContext,
  db: Db,
  { id, email }: { id: string; email: string },
  onward: Onward,
): Promise<void> {
  await updateUser(db, id, { recovery_sent_at: new Date() })
  await mailOneTime(context, db, {
    user_id: id,
    kind: 'magic_link',
    template: 'account_magic_link',
    type: 'magiclink',
    to: email,
    redirectTo: onward.redirectTo,
    flow_id: await beginMailFlow(db, id, 'magiclink', onward),
  })
}

/** @throws AuthError if an unknown address or phone may not get an account */
export function refuseStranger(createsUser: boolean, isSignupDisabled: boolean): void {
  if (!createsUser) throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp')
  if (isSignupDisabled) throw signupDisabled()
}
