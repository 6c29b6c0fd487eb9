import { normaliseEmail } from '#core/domain/accounts/validate-email.ts'
import type { AuthContext } from '../auth-context.ts'

/**
 * Whether the address is one of `BYPASS_ACCOUNTS`, the test or administration accounts of docs/product.md §6. On the server that means
 * that its sign-up is not held up by the rate limit, and that a browser which asks is told so. Passwords and codes are limited
 * for it as for everybody.
 */
export function isBypassAccount({ config }: Pick<AuthContext, 'config'>, email: string): boolean {
  return email !== '' && config.auth.bypassAccounts.includes(normaliseEmail(email))
}
