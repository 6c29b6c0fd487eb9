import type { User } from '../people/data/users.ts'
import { hashPassword, isOutdated, verifyPassword, type HashCost } from './hash-password.ts'

/**
 * The hash to store for a sign-up's password. For an unconfirmed account: the stored hash if the password matches,
 * otherwise null. Two people may have signed up with this address, so neither password may work after the confirmation.
 * Every case costs one hash.
 * @param waiting the unconfirmed account with the address or phone, if any
 * @param isTaken whether any account has it
 */
export async function hashFirstPassword(
  password: string,
  { waiting, isTaken, cost }: { waiting: User | undefined; isTaken: boolean; cost: HashCost },
): Promise<string | null> {
  if (!isTaken) return await hashPassword(password, cost)
  const stored = waiting?.password_hash ?? null
  // An imported hash takes another time to check, which would reveal it.
  const comparable = stored !== null && !isOutdated(stored, cost) ? stored : null
  return (await verifyPassword(password, comparable, cost)) ? stored : null
}
