import { createSecureAccountResultSchema } from '#core/contract/accounts/account-functions.ts'
import { functionPath } from '#web/api/api-path.ts'

export type Created =
  | { result: 'created'; needsConfirmation: boolean }
  | { result: 'direct' }
  | { result: 'failed'; error: { code: string | null; message: string; status: number } }

/**
 * Codes of rate limits: a mail went to this address less than a minute ago, or there were too many requests.
 */
const LIMITS = new Set(['over_request_rate_limit', 'over_email_send_rate_limit'])

/**
 * Calls create-secure-account (docs/product.md §7); an `error` in the answer is a failure. The service says
 * which accounts sign up directly (§6).
 */
export async function createSecureAccount(
  email: string,
  password: string,
  captchaToken?: string,
): Promise<Created> {
  const failed = (status: number, code: string | null, message = ''): Created => ({
    result: 'failed',
    error: { code, message, status },
  })
  try {
    const response = await fetch(functionPath('create-secure-account'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password, captcha_token: captchaToken }),
    })
    if (response.status === 429) return failed(429, 'over_request_rate_limit')
    const answer = createSecureAccountResultSchema.safeParse(await response.json())
    if (!answer.success) return failed(response.status, null)
    const { success, error, code, message, direct_sign_up: isDirect } = answer.data
    if (isDirect) return { result: 'direct' }
    // The function answers a rate limit with a 200 too, because the functions client would hide the body of a
    // 429.
    if (code !== null && LIMITS.has(code)) return failed(429, code)
    if (error !== null || !success) return failed(response.status, code, error ?? message)
    return { result: 'created', needsConfirmation: answer.data.confirmation_required }
  } catch {
    return failed(0, 'network')
  }
}
