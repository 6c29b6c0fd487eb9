import { randomUUIDv7 } from 'node:crypto'
import type { Metadata } from '#core/data/schema/account-tables.ts'
import type { Db } from '#core/data/database.ts'
import { insertIdentity } from '../people/data/identities.ts'
import { insertUser } from '../people/data/users.ts'
import { chooseName } from './create-account.ts'

/**
 * Creates a client's account that signs in by phone, with its profile, in the caller's transaction.
 * @param account.phone digits only
 * @returns the user's id; undefined if the phone is taken
 */
export async function createPhoneAccount(
  db: Db,
  account: { phone: string; password_hash: string | null; data: Metadata; isConfirmed: boolean },
): Promise<string | undefined> {
  const id = randomUUIDv7()
  const { phone, isConfirmed } = account
  const own = { sub: id, phone, email_verified: false, phone_verified: isConfirmed }
  const isNew = await insertUser(db, {
    id,
    email: null,
    phone,
    password_hash: account.password_hash,
    isEmailConfirmed: false,
    isPhoneConfirmed: isConfirmed,
    app_metadata: { provider: 'phone', providers: ['phone'] },
    user_metadata: { ...account.data, ...own },
    profile: { name: chooseName(account.data, null), role: 'client' },
  })
  if (!isNew) return undefined
  await insertIdentity(db, {
    user_id: id,
    provider: 'phone',
    provider_id: id,
    email: null,
    identity_data: own,
  })
  return id
}
