import type { User } from '../people/data/users.ts'
import { hashPassword, isOutdated, verifyPassword, type HashCost } from './hash-password.ts'

/**
 * What a sign-up's password is kept as. For an account that waits for its confirmation that is the hash which it has, where the
 * password is the same, and null where it is another: of two people who sign up with one address nobody knows which owns it,
 * so neither password may hold when the address's mail is opened. Costs one hash, whoever has the address.
 * @param waiting the account that has the address or phone and has not confirmed it, if any
 * @param isTaken whether any account has it
 */
export async function hashFirstPassword(
  password: string,
  { waiting, isTaken, cost }: { waiting: User | undefined; isTaken: boolean; cost: HashCost },
): Promise<string | null> {
  if (!isTaken) return await hashPassword(password, cost)
  const stored = waiting?.password_hash ?? null
  // An imported hash costs another time, which would tell that it is there.
  const comparable = stored !== null && !isOutdated(stored, cost) ? stored : null
  return (await verifyPassword(password, comparable, cost)) ? stored : null
}
