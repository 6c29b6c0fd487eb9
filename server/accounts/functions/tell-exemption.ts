import {
  accountExemptionSchema,
  type AccountExemptionResult,
} from '#core/contract/accounts/account-functions.ts'
import type { AuthContext } from '../auth-context.ts'
import type { Caller } from '#server/identity/caller.ts'
import { isBypassAccount } from '../guards/is-bypass-account.ts'
import { answerRefusals, asResult, refused } from './answer-refusals.ts'

/**
 * Tells a browser whether the typed address is one of `BYPASS_ACCOUNTS`, but never which others are. Counts
 * like a sign-in, so that nobody tries many. Whether the address has an account does not matter.
 */
export async function tellExemption(
  context: AuthContext,
  body: unknown,
  caller: Caller,
): Promise<AccountExemptionResult> {
  const parsed = accountExemptionSchema.safeParse(body ?? {})
  if (!parsed.success) return { ...refused('An e-mail address is required'), exempt: false }
  const answer = await answerRefusals(async () => {
    await context.accounts.rates.spend('token', caller.network)
    const exempt = isBypassAccount(context, parsed.data.email)
    return { success: true, message: '', error: null, exempt }
  }, asResult)
  return { exempt: false, ...answer }
}
