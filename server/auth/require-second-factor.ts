import type { Factor } from './data/factors.ts'
import { AuthError } from './auth-error.ts'
import type { SessionHolder } from './require-session.ts'

/**
 * Whoever knows a password alone must not change the ways in of an account that has a second factor.
 * @param factors the holder's
 * @throws AuthError insufficient_aal
 */
export function requireSecondFactor({ aal }: SessionHolder, factors: readonly Factor[]): void {
  if (aal === 'aal2' || !factors.some(({ status }) => status === 'verified')) return
  const message = 'AAL2 session is required to update email or password when MFA is enabled.'
  throw new AuthError(401, 'insufficient_aal', message)
}
