import { isAuthRetryableFetchError, type AuthError } from '@supabase/auth-js'
import { RECOVERY_CHANNEL, RECOVERY_CODE_LENGTH } from '#core/contract/accounts/recovery-codes.ts'
import { reportSecurityEvent } from '../security/report-event.ts'
import { authClient } from '../auth-client.ts'
import type { AuthOutcome } from '../auth-context.ts'
import { serverNow } from '../server-clock.ts'
import { describeWrongCode } from './describe-account-error.ts'
import { friendlyAuthMessage, friendlyWords } from './friendly-message.ts'
import { describeBlock } from './login-limiter.ts'
import { takeOwnRetryAfter } from './retry-after.ts'

/**
 * Verifies the second factor, or a recovery code in its place. A factor that sends codes needs the
 * `challengeId` of its challenge; for a recovery code nothing is sent to the lost phone.
 */
export async function verifySecondFactor(
  code: string,
  factorId?: string,
  challengeId?: string,
): Promise<AuthOutcome> {
  const { data } = await authClient.getSession()
  const id = factorId ?? data.session?.user.factors?.find(({ status }) => status === 'verified')?.id
  if (id === undefined) return { result: 'refused', message: 'There is no second factor to show.' }
  const isRecovery = code.replaceAll(/[\s-]/g, '').length === RECOVERY_CODE_LENGTH
  const error = await verify(code, id, isRecovery ? RECOVERY_CHANNEL : undefined, challengeId)
  if (error === null) return { result: 'signed_in' }
  if (isAuthRetryableFetchError(error)) return { result: 'refused', message: friendlyWords('network') }
  reportSecurityEvent('mfa_failure', { status: error.status ?? 0 }, data.session?.access_token ?? null)
  const wait = error.status === 429 ? takeOwnRetryAfter() : null
  if (wait !== null) return describeBlock(serverNow() + wait * 1000, serverNow())
  if (isRecovery && error.code === 'mfa_verification_failed')
    return { result: 'refused', message: 'This recovery code is not right, or was used before.' }
  return { result: 'refused', message: describe(error, challengeId === undefined ? 'totp' : 'phone') }
}

async function verify(code: string, factorId: string, channel?: string, challengeId?: string) {
  if (challengeId !== undefined) return (await authClient.mfa.verify({ factorId, challengeId, code })).error
  const asked = channel === undefined ? { factorId } : { factorId, channel }
  const { data, error } = await authClient.mfa.challenge(asked)
  if (error !== null) return error
  return (await authClient.mfa.verify({ factorId, challengeId: data.id, code })).error
}

function describe(error: AuthError, factor: 'totp' | 'phone') {
  const { code, status } = error
  if (code === 'mfa_verification_failed') return describeWrongCode(factor)
  if (code === 'mfa_challenge_expired') return 'This code came too late. Type a new one.'
  return status === 429 ? friendlyWords('too_many_requests') : friendlyAuthMessage(error)
}
