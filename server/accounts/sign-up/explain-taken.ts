import { AuthError } from '../wire/auth-error.ts'

/**
 * Turns the database's refusal of a taken address or phone into the wire's error; rethrows any other failure.
 */
export function explainTaken(error: unknown): never {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  if (code === '23505' && constraint === 'users_email') throw emailExists()
  if (code === '23505' && constraint === 'users_phone_key') throw phoneExists()
  throw error
}

/** Another account has the address. */
export function emailExists(): AuthError {
  return new AuthError(422, 'email_exists', 'A user with this email address has already been registered')
}

/** Another account has the phone. */
export function phoneExists(): AuthError {
  return new AuthError(422, 'phone_exists', 'A user with this phone number has already been registered')
}
