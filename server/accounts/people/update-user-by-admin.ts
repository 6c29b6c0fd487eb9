import type { Updateable } from 'kysely'
import type { UsersTable } from '#core/data/schema/account-tables.ts'
import type { Db } from '#core/data/database.ts'
import { switchOffWebhooks } from '#core/data/webhooks/switch-off-webhooks.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { refuseWeakPassword } from '../passwords/check-password.ts'
import { mergeMetadata } from './clean-metadata.ts'
import { readAccount, type Account, lockAccount } from './data/accounts.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { putIdentity } from './data/identities.ts'
import { deleteOneTimeTokens } from '../codes/data/one-time-tokens.ts'
import { deleteSessionsOfUser } from '../sessions/data/sessions.ts'
import { isLastOwner } from './data/roles.ts'
import { setBan, updateUser, type User } from './data/users.ts'
import {
  readBan,
  readEmail,
  readPasswordHash,
  readPhone,
  readRole,
  type UserAttributes,
} from '../wire/read-user-attributes.ts'
import { explainTaken } from '../sign-up/explain-taken.ts'
import type { Administrator } from '../guards/require-service.ts'

/**
 * Changes an account at once, without its person's agreement. A new password or a ban ends every session and
 * voids earlier mails and messages.
 * @throws AuthError user_not_found, validation_failed, weak_password, email_exists, phone_exists; conflict for
 * banning the last owner
 */
export async function updateUserByAdmin(
  context: AuthContext,
  userId: string,
  given: UserAttributes,
  administrator: Administrator,
  caller: Caller,
): Promise<Account> {
  const [email, phone, role, ban] = [readEmail(given), readPhone(given), readRole(given), readBan(given)]
  if (given.password !== '') await refuseWeakPassword(context, given.password)
  const password_hash = await readPasswordHash(given, context.config.auth.password.hashCost)
  const change = (): Promise<Account> =>
    context.db.transaction().execute(async (trx) => {
      const account = await lockAccount(trx, userId)
      if (account === undefined || account.user.deleted_at !== null) throw userNotFound()
      const changes: Updateable<UsersTable> = {
        ...(email === undefined ? {} : { email, new_email: null }),
        ...(phone === undefined ? {} : { phone, new_phone: null }),
        ...(role === undefined ? {} : { role }),
        ...(password_hash === undefined ? {} : { password_hash }),
        ...confirm(account.user, given, { email, phone }),
        ...mergeBoth(account.user, given),
      }
      await updateUser(trx, userId, changes)
      await followIdentities(trx, userId)
      if (ban !== undefined && ban !== null && ban > 0) await refuseLastOwner(trx, userId)
      if (ban !== undefined) await banUser(trx, userId, ban)
      if (password_hash !== undefined) {
        await deleteOneTimeTokens(trx, userId)
        await deleteSessionsOfUser(trx, userId, null)
      }
      const changed = [...Object.keys(changes), ...(ban === undefined ? [] : ['banned_until'])]
      const details = { changed: changed.map((name) => name.replace('_hash', '')) }
      await writeAudit(trx, {
        action: 'user_updated_by_admin',
        user_id: userId,
        ...administrator,
        caller,
        details,
      })
      return await readAccount(trx, userId)
    })
  return await repeatOnConflict(change).catch(explainTaken)
}

const BANNED =
  'The account was banned by an administrator. Leads wait until the webhook is switched on again.'

/**
 * Bans for this many seconds from now, which ends every session and switches the webhooks off: a thief may
 * have pointed them at another receiver. Null ends the ban; the owner reviews the webhooks and switches them
 * on.
 */
export async function banUser(db: Db, userId: string, seconds: number | null): Promise<void> {
  await setBan(db, userId, seconds)
  if (seconds === null || seconds <= 0) return
  await deleteSessionsOfUser(db, userId, null)
  await switchOffWebhooks(db, userId, BANNED)
}

/** Without an owner nobody could make another one. @throws AuthError conflict */
export async function refuseLastOwner(trx: Db, userId: string): Promise<void> {
  if (await isLastOwner(trx, userId))
    throw new AuthError(409, 'conflict', 'This is the last owner. Make another administrator an owner first.')
}

export function userNotFound(): AuthError {
  return new AuthError(404, 'user_not_found', 'User not found')
}

/** Only an address or phone that is stored or given now can be confirmed. */
function confirm(
  user: User,
  given: UserAttributes,
  { email, phone }: { email: string | undefined; phone: string | undefined },
): Updateable<UsersTable> {
  const now = new Date()
  const email_confirmed_at = given.email_confirm && (email ?? user.email) !== null
  const phone_confirmed_at = given.phone_confirm && (phone ?? user.phone) !== null
  return {
    ...(email_confirmed_at ? { email_confirmed_at: now } : {}),
    ...(phone_confirmed_at ? { phone_confirmed_at: now } : {}),
    // A person with a confirmed address or phone is no longer anonymous.
    ...(user.is_anonymous && (email_confirmed_at || phone_confirmed_at) ? { is_anonymous: false } : {}),
  }
}

function mergeBoth(user: User, { user_metadata, app_metadata }: UserAttributes): Updateable<UsersTable> {
  return {
    ...(user_metadata === undefined
      ? {}
      : { user_metadata: JSON.stringify(mergeMetadata(user.user_metadata, user_metadata)) }),
    ...(app_metadata === undefined
      ? {}
      : { app_metadata: JSON.stringify(mergeMetadata(user.app_metadata, app_metadata)) }),
  }
}

/** Makes the identities by address and phone agree with the account. */
async function followIdentities(db: Db, userId: string): Promise<void> {
  const { user, identities } = await readAccount(db, userId)
  const verified = {
    email_verified: user.email_confirmed_at !== null,
    phone_verified: user.phone_confirmed_at !== null,
  }
  // An account that has only a provider's identity keeps its address without getting another identity.
  const hasOther = identities.some(({ provider }) => provider !== 'email' && provider !== 'phone')
  const hasEmail = identities.some(({ provider }) => provider === 'email')
  if (user.email !== null && (hasEmail || !hasOther))
    await putIdentity(db, {
      user_id: userId,
      provider: 'email',
      email: user.email,
      identity_data: { sub: userId, email: user.email, ...verified },
    })
  if (user.phone !== null)
    await putIdentity(db, {
      user_id: userId,
      provider: 'phone',
      email: null,
      identity_data: { sub: userId, phone: user.phone, ...verified },
    })
}
