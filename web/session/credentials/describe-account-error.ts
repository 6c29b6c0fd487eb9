import { isAuthRetryableFetchError, type AuthError } from '@supabase/auth-js'
import { friendlyAuthMessage, friendlyWords } from './friendly-message.ts'

type FactorType = 'totp' | 'phone'

/** The service's messages for these codes are meant for the account's owner and are shown as they are. */
const OWN_WORDS = new Set([
  'weak_password',
  'same_password',
  'email_exists',
  'email_address_invalid',
  'validation_failed',
  'current_password_required',
  'insufficient_aal',
  'mfa_factor_name_conflict',
  'too_many_enrolled_mfa_factors',
])
const OTHER_WORDS: Readonly<Record<string, string>> = {
  current_password_invalid: 'The current password is not right.',
  reauthentication_needed: 'Type the code that we sent you by mail.',
  reauthentication_not_valid: 'The code is not right, or no longer good.',
  single_identity_not_deletable: 'The only way to sign in cannot be unlinked. Link another first.',
  identity_not_found: 'It is unlinked already.',
  email_conflict_identity_not_deletable:
    'It cannot be unlinked: another account has the address that would be left.',
  manual_linking_disabled: 'Ways to sign in cannot be changed here.',
  mfa_challenge_expired: 'This code came too late. Type a new one.',
  mfa_verified_factor_exists: 'This phone is a second factor already.',
  phone_provider_disabled: 'No message can be sent to phones at the moment.',
  user_sso_managed: 'Your company manages this account. It is changed there.',
  sms_send_failed: 'The message could not be sent. Check the number, or try again later.',
}

/**
 * Describes an error for a user who changes their own account.
 * @param factor type of the factor whose code was asked for
 */
export function describeAccountError(error: AuthError, factor: FactorType = 'totp') {
  if (isAuthRetryableFetchError(error)) return friendlyWords('network')
  if (error.status === 429) return friendlyWords('too_many_requests')
  const code = error.code ?? ''
  if (code === 'mfa_verification_failed') return describeWrongCode(factor)
  if (Object.hasOwn(OTHER_WORDS, code)) return OTHER_WORDS[code] ?? error.message
  return OWN_WORDS.has(code) ? error.message : friendlyAuthMessage(error)
}

export function describeWrongCode(factor: FactorType) {
  const source = factor === 'phone' ? 'that we sent you last' : 'that your app shows now'
  return `This code is not right. Type the code ${source}.`
}
