import { accountExemptionResultSchema } from '#core/contract/accounts/account-functions.ts'
import { functionPath } from '#web/api/api-path.ts'

/** Whether docs/product.md §6 lets this account pass the browser's own checks. The service knows which do; unreachable, none does. */
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
