import type { Metadata } from '#core/data/schema/account-tables.ts'
import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import type { Caller } from '#server/identity/caller.ts'
import { mergeMetadata, refuseUnfitMetadata } from './clean-metadata.ts'
import { readAccount, type Account } from './data/accounts.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { findUserByEmail, lockUser, updateUser } from './data/users.ts'
import { dropUnprovenWays } from '../sign-up/drop-unproven-ways.ts'
import { issueOneTime, queueOneTimeMail, type OneTimeSecrets } from '../codes/issue-one-time.ts'
import { emailExists } from '../sign-up/explain-taken.ts'
import type { Administrator } from '../guards/require-service.ts'
import { createAccount } from '../sign-up/create-account.ts'

/**
 * Creates an account for a person, who accepts by the mail's link; a second invitation replaces the first.
 * @param given.email normalised and valid
 * @throws AuthError email_exists for an account that is confirmed
 */
export async function inviteUser(
  context: AuthContext,
  given: { email: string; data: Metadata; redirectTo: string },
  administrator: Administrator,
  caller: Caller,
): Promise<Account> {
  await context.accounts.rates.spend('mail', 'all')
  return await context.db.transaction().execute(async (trx) => {
    const { userId, secrets } = await prepareInvitation(context, trx, given)
    await queueOneTimeMail(context, trx, {
      user_id: userId,
      template: 'account_invite',
      to: given.email,
      secrets,
      link: { type: 'invite', redirectTo: given.redirectTo },
    })
    await writeAudit(trx, { action: 'user_invited', user_id: userId, ...administrator, caller })
    return await readAccount(trx, userId)
  })
}

/**
 * Makes the invited account and the code and link to accept with; in the caller's transaction, without a
 * mail.
 */
export async function prepareInvitation(
  context: AuthContext,
  db: Db,
  { email, data }: { email: string; data: Metadata },
): Promise<{ userId: string; secrets: OneTimeSecrets }> {
  const userId = await findOrCreateUnconfirmed(db, { email, data, password_hash: null })
  const now = new Date()
  await updateUser(db, userId, { invited_at: now, confirmation_sent_at: now })
  return {
    userId,
    secrets: await issueOneTime(context, db, { user_id: userId, kind: 'invite', sentTo: email }),
  }
}

/**
 * Finds or creates an unconfirmed account; sets the data and password given now.
 * @throws AuthError email_exists
 */
export async function findOrCreateUnconfirmed(
  db: Db,
  given: { email: string; data: Metadata; password_hash: string | null },
): Promise<string> {
  const { email, password_hash } = given
  const { data } = given
  refuseUnfitMetadata(data)
  const made = { email, password_hash, role: 'client', data, isConfirmed: false } as const
  const created = await createAccount(db, { ...made, madeBy: 'administrator' })
  if (created !== undefined) return created
  const known = await findUserByEmail(db, email)
  // Locked and read again: another request may be confirming it.
  const waiting = known === undefined ? undefined : await lockUser(db, known.id)
  if (waiting === undefined || waiting.email_confirmed_at !== null) throw emailExists()
  await dropUnprovenWays(db, waiting)
  const { user } = await readAccount(db, waiting.id)
  await updateUser(db, user.id, {
    user_metadata: JSON.stringify(mergeMetadata(user.user_metadata, data)),
    ...(password_hash === null ? {} : { password_hash }),
  })
  return user.id
}
