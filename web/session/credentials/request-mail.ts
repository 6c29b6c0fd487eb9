import { isAuthRetryableFetchError, type AuthError } from '@supabase/auth-js'
import { describeCaptchaFailure } from '../captcha/describe-captcha-failure.ts'
import { countOf } from '#web/format/count-of.ts'
import { friendlyWords } from './friendly-message.ts'
import { takeRetryAfter } from './retry-after.ts'

export type MailOutcome = { result: 'sent' } | { result: 'refused'; message: string }

/**
 * Requests a mail and returns the result. It does not reveal whether the address has an account: for an unknown address
 * the mail counts as sent too.
 * @param failure shown if none of the sentences of docs/product.md §8 fits
 */
export async function requestMail(
  ask: () => Promise<{ error: AuthError | null }>,
  failure: string,
): Promise<MailOutcome> {
  const { error } = await ask()
  if (error === null || error.code === 'otp_disabled' || error.code === 'user_not_found')
    return { result: 'sent' }
  if (isAuthRetryableFetchError(error)) return { result: 'refused', message: friendlyWords('network') }
  if (error.status !== 429) return { result: 'refused', message: describeCaptchaFailure(error) ?? failure }
  const wait = takeRetryAfter()
  const message =
    wait === null || wait > 60
      ? friendlyWords('too_many_requests')
      : `A mail was sent a moment ago. You can ask for another in ${countOf(wait, 'second')}.`
  return { result: 'refused', message }
}
