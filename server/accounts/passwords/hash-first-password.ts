import type { User } from '../people/data/users.ts'
import { hashPassword, isOutdated, verifyPassword, type HashCost } from './hash-password.ts'

/**
 * The hash to store for a sign-up's password. For an account that waits for its confirmation it is the stored
 * hash if the password is the same, and null if it differs: if two people sign up with one address, nobody
 * knows which of them owns it, so neither password may work once the address is confirmed. Costs one hash in
 * every case.
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
