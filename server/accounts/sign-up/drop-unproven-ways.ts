import type { Db } from '#core/data/database.ts'
import { putIdentity, deleteIdentity, listIdentities, refreshProviders } from '../people/data/identities.ts'
import { updateUser, type User } from '../people/data/users.ts'

/**
 * Takes from an account whose address nobody has confirmed the ways in that its maker left, when somebody comes who reads the
 * address's mail: the password, and providers' accounts that merely claimed the address. Or a stranger who was here first would
 * wait inside for its owner (account pre-hijacking). A confirmed phone makes the account somebody's: then providers stay.
 * @param user held by the caller's transaction
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
  // What an invitation says of somebody was said by an administrator.
  const said = user.invited_at === null ? {} : user.user_metadata
  await updateUser(db, user.id, { user_metadata: JSON.stringify({ ...said, ...own }) })
}
