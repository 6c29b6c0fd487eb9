import { isAuthRetryableFetchError, type AuthError } from '@supabase/auth-js'
import { friendlyAuthMessage } from './friendly-message.ts'

/** What the service says about a change to one's own account is meant for its owner: these codes keep their message. */
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
  mfa_verification_failed: 'This code is not right. Type the code that your app shows now.',
  mfa_challenge_expired: 'This code came too late. Type a new one.',
}

/** A sentence for somebody who changes his own account. */
export function describeAccountError(error: AuthError) {
  if (isAuthRetryableFetchError(error)) return friendlyAuthMessage('Network error')
  if (error.status === 429) return friendlyAuthMessage('Too many requests')
  const code = error.code ?? ''
  if (Object.hasOwn(OTHER_WORDS, code)) return OTHER_WORDS[code] ?? error.message
  return OWN_WORDS.has(code) ? error.message : friendlyAuthMessage(error.message)
}
