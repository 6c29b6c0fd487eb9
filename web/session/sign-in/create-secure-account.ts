import { createSecureAccountResultSchema } from '#core/contract/accounts/account-functions.ts'
import { functionPath } from '#web/api/api-path.ts'

export type Created =
  | { result: 'created'; needsConfirmation: boolean }
  | { result: 'direct' }
  | { result: 'failed'; error: { message: string; status: number } }

/** docs/product.md §7, create-secure-account: an `error` in the answer is a failure. The service says who signs up directly (§6). */
export async function createSecureAccount(
  email: string,
  password: string,
  captchaToken?: string,
): Promise<Created> {
  const failed = (message: string, status: number): Created => ({
    result: 'failed',
    error: { message, status },
  })
  try {
    const response = await fetch(functionPath('create-secure-account'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password, captcha_token: captchaToken }),
    })
    if (response.status === 429) return failed('Too many requests', 429)
    const answer = createSecureAccountResultSchema.safeParse(await response.json())
    if (!answer.success) return failed('Unexpected answer', response.status)
    const { success, error, message, direct_sign_up: isDirect } = answer.data
    if (isDirect) return { result: 'direct' }
    // A mail went to this address less than a minute ago: one limit more, in words that docs/product.md §8 does not know.
    if (error !== null && /you can only request this after/.test(error))
      return failed('Too many requests', 429)
    if (error !== null || !success) return failed(error ?? message, response.status)
    return { result: 'created', needsConfirmation: answer.data.confirmation_required }
  } catch {
    return failed('Network error', 0)
  }
}
