import { AuthError } from '../accounts/wire/auth-error.ts'
import type { SessionHolder } from './require-session.ts'

/**
 * Whoever knows a password alone must not change the ways in of an account that has a second factor.
 * @throws AuthError insufficient_aal
 */
export function requireSecondFactor({ owes_factor }: SessionHolder): void {
  if (!owes_factor) return
  const message = 'AAL2 session is required to update email or password when MFA is enabled.'
  throw new AuthError(401, 'insufficient_aal', message)
}
