import type { Principal } from '#server/identity/find-live-session.ts'
import { AuthError } from '../wire/auth-error.ts'

/**
 * Knowing a password alone is not enough to change the identities of an account that has a second factor.
 * @throws AuthError insufficient_aal
 */
export function requireSecondFactor({ owes_factor }: Pick<Principal, 'owes_factor'>): void {
  if (!owes_factor) return
  const message = 'AAL2 session is required to update email or password when MFA is enabled.'
  throw new AuthError(401, 'insufficient_aal', message)
}
