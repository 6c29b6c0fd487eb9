import { accountExemptionResultSchema } from '#core/contract/accounts/account-functions.ts'
import { functionPath } from '#web/api/api-path.ts'

/**
 * True if this account is exempt from the browser's own checks (docs/product.md §6). The service knows which
 * are; if it is unreachable, none is.
 */
export async function isExemptAccount(email: string): Promise<boolean> {
  try {
    const response = await fetch(functionPath('account-exemption'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    const answer = accountExemptionResultSchema.safeParse(await response.json())
    return answer.success && answer.data.exempt
  } catch {
    return false
  }
}
