import type { Metadata } from '#core/data/schema/account-tables.ts'
import type { OneTimeKind } from '#core/data/schema/proof-tables.ts'
import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, validationFailed } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { refuseWeakPassword } from '../passwords/check-password.ts'
import { readAccount, type Account } from '../people/data/accounts.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { findUserByEmail, updateUser } from '../people/data/users.ts'
import { hashPassword } from '../passwords/hash-password.ts'
import { issueOneTime, verifyUrl, type OneTimeSecrets } from './issue-one-time.ts'
import { emailExists } from '../sign-up/explain-taken.ts'
import type { Administrator } from '../guards/require-service.ts'
import { findOrCreateUnconfirmed, prepareInvitation } from '../people/invite-user.ts'

export const LINK_TYPES = [
  'signup',
  'invite',
  'magiclink',
  'recovery',
  'email_change_current',
  'email_change_new',
] as const
export type LinkType = (typeof LINK_TYPES)[number]

export interface LinkRequest {
  type: LinkType
  /** normalised and valid */
  email: string
  /** for a change; normalised and valid */
  newEmail: string | undefined
  /** for a sign-up */
  password: string
  data: Metadata
  redirectTo: string
}

/** The link and code that a mail would have carried. */
export interface GeneratedLink {
  account: Account
  action_link: string
  email_otp: string
  hashed_token: string
  verification_type: LinkType
}

/**
 * Makes the link and the code of a mail for a caller who sends it themselves; Leadwire sends nothing.
 * @throws AuthError email_exists, user_not_found, validation_failed, weak_password
 */
export async function generateLink(
  context: AuthContext,
  given: LinkRequest,
  administrator: Administrator,
  caller: Caller,
): Promise<GeneratedLink> {
  const password_hash = given.type === 'signup' ? await hashForSignUp(context, given.password) : null
  return await context.db.transaction().execute(async (trx) => {
    const known = await findUserByEmail(trx, given.email)
    // For an address without an account, a magic link also creates the account.
    const type = given.type === 'magiclink' && known === undefined ? 'signup' : given.type
    const made = await prepare(context, trx, { ...given, type, password_hash })
    const details = { type }
    await writeAudit(trx, {
      action: 'link_generated',
      user_id: made.userId,
      ...administrator,
      caller,
      details,
    })
    const { linkToken, code } = made.secrets
    return {
      account: await readAccount(trx, made.userId),
      action_link: verifyUrl(context, {
        linkToken,
        type: type.startsWith('email_change') ? 'email_change' : type,
        redirectTo: given.redirectTo,
      }),
      email_otp: code,
      hashed_token: linkToken,
      verification_type: type,
    }
  })
}

async function hashForSignUp(context: AuthContext, password: string): Promise<string> {
  if (password === '') throw validationFailed('Signup requires a valid password')
  await refuseWeakPassword(context, password)
  return await hashPassword(password, context.config.auth.password.hashCost)
}

async function prepare(
  context: AuthContext,
  db: Db,
  given: LinkRequest & { password_hash: string | null },
): Promise<{ userId: string; secrets: OneTimeSecrets }> {
  const { type, email, newEmail } = given
  const issue = async (userId: string, kind: OneTimeKind, sentTo: string) => ({
    userId,
    secrets: await issueOneTime(context, db, { user_id: userId, kind, sentTo }),
  })
  const now = new Date()

  if (type === 'invite') return await prepareInvitation(context, db, given)
  if (type === 'signup') {
    const userId = await findOrCreateUnconfirmed(db, given)
    await updateUser(db, userId, { confirmation_sent_at: now })
    return await issue(userId, 'confirmation', email)
  }
  const user = await findUserByEmail(db, email)
  if (user === undefined) throw new AuthError(404, 'user_not_found', 'User with this email not found')
  if (type === 'magiclink' || type === 'recovery') {
    await updateUser(db, user.id, { recovery_sent_at: now })
    return await issue(user.id, type === 'recovery' ? 'recovery' : 'magic_link', email)
  }
  if (newEmail === undefined) throw validationFailed('The new email address provided is invalid')
  if (type === 'email_change_current' && !context.config.auth.secureEmailChange)
    throw validationFailed('Enable secure email change to generate link for current email')
  if ((await findUserByEmail(db, newEmail)) !== undefined) throw emailExists()
  // The other side may have agreed already: its agreement holds as long as the new address stays the same.
  const change = user.new_email === newEmail ? {} : { new_email: newEmail }
  await updateUser(db, user.id, { ...change, email_change_sent_at: now })
  return await issue(user.id, type, type === 'email_change_current' ? email : newEmail)
}
