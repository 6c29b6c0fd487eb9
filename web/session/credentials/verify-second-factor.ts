import { isAuthRetryableFetchError, type AuthError } from '@supabase/auth-js'
import { reportSecurityEvent } from '../security/report-event.ts'
import { authClient } from '../auth-client.ts'
import type { AuthOutcome } from '../auth-context.ts'
import { describeWrongCode } from './describe-account-error.ts'
import { friendlyAuthMessage, friendlyWords } from './friendly-message.ts'

/** Shows the second factor: a factor that sends its code must have been challenged before, by `challengeId`. */
export async function verifySecondFactor(
  code: string,
  factorId?: string,
  challengeId?: string,
): Promise<AuthOutcome> {
  const { data } = await authClient.getSession()
  const id = factorId ?? data.session?.user.factors?.find(({ status }) => status === 'verified')?.id
  if (id === undefined) return { result: 'refused', message: 'There is no second factor to show.' }
  const { error } =
    challengeId === undefined
      ? await authClient.mfa.challengeAndVerify({ factorId: id, code })
      : await authClient.mfa.verify({ factorId: id, challengeId, code })
  if (error === null) return { result: 'signed_in' }
  if (isAuthRetryableFetchError(error)) return { result: 'refused', message: friendlyWords('network') }
  reportSecurityEvent('mfa_failure', { status: error.status ?? 0 }, data.session?.access_token ?? null)
  return { result: 'refused', message: describe(error, challengeId === undefined ? 'totp' : 'phone') }
}

function describe(error: AuthError, factor: 'totp' | 'phone') {
  const { code, status } = error
  if (code === 'mfa_verification_failed') return describeWrongCode(factor)
  if (code === 'mfa_challenge_expired') return 'This code came too late. Type a new one.'
  return status === 429 ? friendlyWords('too_many_requests') : friendlyAuthMessage(error)
}
