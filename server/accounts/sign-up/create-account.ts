import { randomUUIDv7 } from 'node:crypto'
import type { Role } from '#core/contract/accounts/account.ts'
import { trimText } from '#core/contract/trim-invisible.ts'
import type { Metadata } from '#core/data/schema/account-tables.ts'
import type { Db } from '#core/data/database.ts'
import { insertIdentity } from '../people/data/identities.ts'
import { insertUser } from '../people/data/users.ts'

const LONGEST_NAME = 200

/**
 * Creates an account that signs in by e-mail and password, with its profile, in the caller's transaction.
 * @param account.email normalised and valid
 * @param account.madeBy the author of `data`: an administrator's words are kept exactly
 * @returns the user's id; undefined if the address is taken
 */
export async function createAccount(
  db: Db,
  account: {
    email: string
    password_hash: string | null
    role: Role
    data: Metadata
    isConfirmed: boolean
    madeBy?: 'person' | 'administrator'
  },
): Promise<string | undefined> {
  const id = randomUUIDv7()
  const { email, isConfirmed } = account
  // The service's words about the user override the user's own.
  const own = { sub: id, email, email_verified: isConfirmed, phone_verified: false }
  const isNew = await insertUser(db, {
    id,
    email,
    password_hash: account.password_hash,
    isEmailConfirmed: isConfirmed,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: account.madeBy === 'administrator' ? account.data : { ...account.data, ...own },
    profile: { name: chooseName(account.data, email), role: account.role },
  })
  if (!isNew) return undefined
  await insertIdentity(db, { user_id: id, provider: 'email', provider_id: id, email, identity_data: own })
  return id
}

/** The name of a new account: the given one, else the part of the address before the @. */
export function chooseName(data: Metadata, email: string | null): string {
  const given = [data['name'], data['full_name']].find(
    (name) => typeof name === 'string' && trimText(name) !== '',
  )
  const name = typeof given === 'string' ? trimText(given) : (email ?? '').replace(/@.*$/, '')
  // If the cut leaves half of a character, that half is removed too: it would be stored as U+FFFD.
  return name.slice(0, LONGEST_NAME).replace(/[\ud800-\udbff]$/, '')
}
