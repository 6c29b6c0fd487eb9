import { isAuthRetryableFetchError, type AuthError } from '@supabase/auth-js'
import { describeCaptchaFailure } from '../captcha/describe-captcha-failure.ts'
import { PATHS } from '#web/paths.ts'
import { isTokenStored, renewAntiForgeryToken, VALIDATION_FAILED } from '../security/anti-forgery.ts'
import { reportSecurityEvent } from '../security/report-event.ts'
import { authClient } from '../auth-client.ts'
import type { AuthOutcome, Refusal } from '../auth-context.ts'
import { createSecureAccount } from './create-secure-account.ts'
import { friendlyAuthMessage, friendlyWords } from './friendly-message.ts'
import { isExemptAccount } from './is-exempt-account.ts'
import { takeOwnRetryAfter } from './retry-after.ts'
import { useLoginLimiter } from './use-login-limiter.ts'

/**
 * Signs in and up as docs/product.md §5, §8 and §9 require: with the limiter, the anti-forgery token and the
 * friendly messages.
 */
export function useCredentials() {
  const limiter = useLoginLimiter()

  /**
   * A few accounts are exempt from the anti-forgery check, and at sign-up from the block (docs/product.md
   * §6). The service is asked only if a check has failed.
   */
  async function refuseBefore(email: string, door: 'sign_in' | 'sign_up'): Promise<Refusal | null> {
    const blocked = await limiter.refusal(email)
    const mayPass = blocked === null || door === 'sign_up'
    if (blocked === null && isTokenStored()) return null
    if (mayPass && (await isExemptAccount(email))) return null
    if (blocked !== null) return blocked
    renewAntiForgeryToken()
    reportSecurityEvent('suspicious_request', { cause: 'anti_forgery' })
    return { result: 'refused', message: VALIDATION_FAILED }
  }

  function refused(
    error: Pick<AuthError, 'message' | 'status'> & { code?: string | null | undefined },
    event: string,
    email: string,
  ): Refusal {
    const { status = 0 } = error
    // A failure of the network or the service does not count as a failed attempt.
    if (isAuthRetryableFetchError(error) || error.code === 'network')
      return { result: 'refused', message: friendlyWords('network') }
    const known = { code: error.code ?? undefined, message: error.message }
    if (status === 0 || status >= 500) return { result: 'refused', message: friendlyAuthMessage(known) }
    // An expired captcha does not count either.
    const unproven = describeCaptchaFailure(known)
    if (unproven !== null) return { result: 'refused', message: unproven }
    const wait = status === 429 ? takeOwnRetryAfter() : null
    reportSecurityEvent(event, { status })
    if (wait !== null) return limiter.blockedFor(email, wait)
    limiter.failed()
    const message = friendlyAuthMessage(known)
    return message === friendlyWords('email_not_confirmed')
      ? { result: 'refused', message, unconfirmed: true }
      : { result: 'refused', message }
  }

  async function signIn(email: string, password: string, captchaToken?: string): Promise<AuthOutcome> {
    const refusal = await refuseBefore(email, 'sign_in')
    if (refusal !== null) return refusal
    const { error } = await authClient.signInWithPassword({ email, password, options: proof(captchaToken) })
    if (error !== null) return refused(error, 'failed_login', email)
    limiter.succeeded()
    return { result: 'signed_in' }
  }

  async function signUp(email: string, password: string, captchaToken?: string): Promise<AuthOutcome> {
    const refusal = await refuseBefore(email, 'sign_up')
    if (refusal !== null) return refusal
    const created = await createSecureAccount(email, password, captchaToken)
    if (created.result === 'direct') return await signUpDirectly(email, password, captchaToken)
    if (created.result === 'failed') return refused(created.error, 'failed_signup', email)
    limiter.succeeded()
    if (created.needsConfirmation) return { result: 'confirmation_sent' }
    // The captcha token was used up by the sign-up, so the user signs in by hand.
    return captchaToken === undefined ? await signIn(email, password) : { result: 'created' }
  }

  /** Signs up the test and administrator accounts that the service names (docs/product.md §6). */
  async function signUpDirectly(
    email: string,
    password: string,
    captchaToken?: string,
  ): Promise<AuthOutcome> {
    // The link of the confirmation mail leads to /dashboard (docs/product.md §2).
    const emailRedirectTo = location.origin + PATHS.dashboard
    const { data, error } = await authClient.signUp({
      email,
      password,
      options: { emailRedirectTo, ...proof(captchaToken) },
    })
    if (error !== null) return refused(error, 'failed_signup', email)
    limiter.succeeded()
    return { result: data.session === null ? 'confirmation_sent' : 'signed_in' }
  }

  return { isRateLimited: limiter.isRateLimited, signIn, signUp }
}

function proof(captchaToken: string | undefined) {
  return captchaToken === undefined ? {} : { captchaToken }
}
