import { z } from 'zod'

const answerSchema = z.object({
  success: z.boolean().optional(),
  error: z.string().nullish(),
  /** the account is usable only once its mail is confirmed */
  confirmation_required: z.boolean().optional(),
  /** the service wants this account to sign up by itself (SPEC.md §6) */
  direct_sign_up: z.boolean().optional(),
})

export type Created =
  | { result: 'created'; needsConfirmation: boolean }
  | { result: 'direct' }
  | { result: 'failed'; error: { message: string; status: number } }

/** SPEC.md §7, create-secure-account: an `error` in the answer is a failure. */
export async function createSecureAccount(email: string, password: string): Promise<Created> {
  const failed = (message: string, status: number): Created => ({
    result: 'failed',
    error: { message, status },
  })
  try {
    const response = await fetch('/functions/v1/create-secure-account', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    if (response.status === 404) return { result: 'direct' }
    if (response.status === 429) return failed('Too many requests', 429)
    const answer = answerSchema.safeParse(await response.json())
    if (!answer.success) return failed('Unexpected answer', response.status)
    const { error, direct_sign_up: direct, confirmation_required: needsConfirmation = false } = answer.data
    if (direct === true) return { result: 'direct' }
    if (typeof error === 'string' && error !== '') return failed(error, response.status)
    return response.ok
      ? { result: 'created', needsConfirmation }
      : failed('Unexpected answer', response.status)
  } catch {
    return failed('Network error', 0)
  }
}
