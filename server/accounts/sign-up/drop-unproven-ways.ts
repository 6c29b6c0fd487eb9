import type { Db } from '#core/data/database.ts'
import { putIdentity, deleteIdentity, listIdentities, refreshProviders } from '../people/data/identities.ts'
import { updateUser, type User } from '../people/data/users.ts'

/**
 * Removes the identities that an unconfirmed account got from its maker, when a person who reads the address's mail
 * comes to it: the password, and provider accounts that merely claimed the address. Otherwise a stranger who signed up
 * first could share the owner's account (account pre-hijacking). If a phone is confirmed the account has an owner, and
 * provider accounts stay.
 * @param user locked by the caller's transaction
 */
export async function dropUnprovenWays(db: Db, user: User): Promise<void> {
  if (user.email === null || user.email_confirmed_at !== null) return
  await updateUser(db, user.id, { password_hash: null })
  if (user.phone_confirmed_at !== null) return
  const identities = await listIdentities(db, user.id)
  const claimed = identities.filter(({ provider }) => provider !== 'email' && provider !== 'phone')
  if (claimed.length === 0) return
  for (const { id } of claimed) await deleteIdentity(db, id)
  const own = { sub: user.id, email: user.email, email_verified: false, phone_verified: false }
  await putIdentity(db, { user_id: user.id, provider: 'email', email: user.email, identity_data: own })
  await refreshProviders(db, user.id)
  // An administrator wrote what an invitation says of the person.
  const said = user.invited_at === null ? {} : user.user_metadata
  await updateUser(db, user.id, { user_metadata: JSON.stringify({ ...said, ...own }) })
}
