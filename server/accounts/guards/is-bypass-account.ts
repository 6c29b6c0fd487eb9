import { normaliseEmail } from '#core/domain/accounts/validate-email.ts'
import type { AuthContext } from '../auth-context.ts'

/**
 * Whether the address is one of `BYPASS_ACCOUNTS`, the test or administration accounts of docs/product.md §6. On the
 * server, the rate limit does not apply to the account's sign-up, and a browser that asks is told about it. Passwords
 * and codes are limited as for everybody.
 */
export function isBypassAccount({ config }: Pick<AuthContext, 'config'>, email: string): boolean {
  return email !== '' && config.auth.bypassAccounts.includes(normaliseEmail(email))
}
