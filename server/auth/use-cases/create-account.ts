import { randomUUIDv7 } from 'node:crypto'
import type { Role } from '#core/contract/account.ts'
import type { Metadata } from '#core/data/auth-tables.ts'
import type { Db } from '#core/data/database.ts'
import { insertAccount } from '../data/accounts.ts'

const LONGEST_NAME = 200

/**
 * Creates a confirmed account with its profile, in the caller's transaction.
 * @param account.email normalised and valid
 * @returns the user's id; undefined when the address is taken
 */
export async function createAccount(
  db: Db,
  account: { email: string; password_hash: string; role: Role; data: Metadata },
): Promise<string | undefined> {
  const id = randomUUIDv7()
  const { email, password_hash, role } = account
  // What the service says of the user wins over what the user says.
  const user_metadata = { ...account.data, sub: id, email, email_verified: true, phone_verified: false }
  const name = chooseName(account.data, email)
  const user = await insertAccount(db, { id, email, password_hash, role, name, user_metadata })
  return user?.id
}

function chooseName(data: Metadata, email: string): string {
  const given = [data['name'], data['full_name']].find(
    (name) => typeof name === 'string' && name.trim() !== '',
  )
  const name = typeof given === 'string' ? given.trim() : email.slice(0, email.indexOf('@'))
  return name.slice(0, LONGEST_NAME)
}
