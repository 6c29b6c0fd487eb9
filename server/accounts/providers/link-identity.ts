import type { Db } from '#core/data/database.ts'
import { AuthError, userBanned, userGone } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { isUserBlocked } from '#server/identity/data/blocks.ts'
import { findIdentity, lockIdentity, refreshProviders } from '../people/data/identities.ts'
import {
  findUserByEmail,
  updateUser,
  lockUserAlone,
  markEmailConfirmed,
  type User,
} from '../people/data/users.ts'
import { emailExists } from '../sign-up/explain-taken.ts'
import { mergeIfItFits } from './merge-if-it-fits.ts'
import type { ProviderPerson } from './provider-person.ts'
import { addIdentity, type Resolution } from './resolve-account.ts'

/**
 * Adds an identity to the account whose owner asked for it. An anonymous account becomes permanent, with the
 * provider's address if that is verified and free.
 */
export async function linkIdentity(
  db: Db,
  person: ProviderPerson,
  userId: string,
  caller: Caller,
): Promise<Resolution> {
  const judged = await judgeLink(db, person, userId)
  if ('refused' in judged) return judged
  const { user, takesEmail } = judged
  await addIdentity(db, userId, person)
  await updateUser(db, userId, {
    user_metadata: JSON.stringify(mergeIfItFits(user.user_metadata, person.data)),
    is_anonymous: false,
    ...(takesEmail ? { email: person.email } : {}),
  })
  if (takesEmail) await markEmailConfirmed(db, userId)
  await refreshProviders(db, userId)
  await writeAudit(db, {
    action: 'identity_linked',
    user_id: userId,
    caller,
    details: { provider: person.provider, by: 'owner' },
  })
  return { user_id: userId }
}

/**
 * Judges whether the identity may be added. Locks both rows, so that the result holds until the transaction
 * ends.
 */
export async function judgeLink(
  db: Db,
  person: ProviderPerson,
  userId: string,
): Promise<{ user: User; takesEmail: boolean } | { refused: AuthError }> {
  await lockIdentity(db, person.provider, person.provider_id)
  const user = await lockUserAlone(db, userId)
  if (user === undefined) {
    return { refused: userGone() }
  }
  if (await isUserBlocked(db, userId)) return { refused: userBanned() }
  const identity = await findIdentity(db, person.provider, person.provider_id)
  if (identity !== undefined) {
    const where = identity.user_id === userId ? '' : ' to another user'
    return { refused: new AuthError(422, 'identity_already_exists', `Identity is already linked${where}`) }
  }
  const takesEmail = user.email === null && person.isEmailVerified && !user.is_sso_user
  if (takesEmail && (await findUserByEmail(db, person.email ?? '')) !== undefined)
    return { refused: emailExists() }
  return { user, takesEmail }
}
