import type { Db } from '#core/data/database.ts'
import { AuthError } from './auth-error.ts'
import { findUserByEmail, findUserByPhone } from './data/accounts.ts'

/** Says which of the values another account has. @throws AuthError email_exists, phone_exists or conflict, always */
export async function refuseTaken(
  db: Db,
  { email, phone }: { id: string; email: string | null; phone: string | null },
): Promise<never> {
  if (email !== null && (await findUserByEmail(db, email)) !== undefined) throw emailExists()
  if (phone !== null && (await findUserByPhone(db, phone)) !== undefined) throw phoneExists()
  throw new AuthError(409, 'conflict', 'A user with this id already exists')
}

/** Turns the database's refusal of a taken address or phone into the wire's; any other failure goes on as it is. */
export function explainTaken(error: unknown): never {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  if (code === '23505' && constraint === 'users_email') throw emailExists()
  if (code === '23505' && constraint === 'users_phone_key') throw phoneExists()
  throw error
}

export function emailExists(): AuthError {
  return new AuthError(422, 'email_exists', 'A user with this email address has already been registered')
}

function phoneExists(): AuthError {
  return new AuthError(422, 'phone_exists', 'Phone number already registered by another user')
}
