import type { Limit } from '#core/contract/accounts/account-limit.ts'

/** Every code of the wire that this service uses: clients branch on them. */
export type AuthErrorCode =
  | 'anonymous_provider_disabled'
  | 'bad_code_verifier'
  | 'bad_json'
  | 'bad_jwt'
  | 'bad_oauth_callback'
  | 'bad_oauth_state'
  | 'captcha_failed'
  | 'conflict'
  | 'current_password_invalid'
  | 'current_password_required'
  | 'email_address_invalid'
  | 'email_conflict_identity_not_deletable'
  | 'email_exists'
  | 'email_not_confirmed'
  | 'email_provider_disabled'
  | 'flow_state_expired'
  | 'flow_state_not_found'
  | 'identity_already_exists'
  | 'identity_not_found'
  | 'insufficient_aal'
  | 'invalid_credentials'
  | 'manual_linking_disabled'
  | 'mfa_challenge_expired'
  | 'mfa_factor_name_conflict'
  | 'mfa_factor_not_found'
  | 'mfa_ip_address_mismatch'
  | 'mfa_phone_enroll_not_enabled'
  | 'mfa_phone_verify_not_enabled'
  | 'mfa_totp_enroll_not_enabled'
  | 'mfa_totp_verify_not_enabled'
  | 'mfa_verification_failed'
  | 'mfa_verified_factor_exists'
  | 'no_authorization'
  | 'not_admin'
  | 'not_found'
  | 'otp_disabled'
  | 'otp_expired'
  | 'over_email_send_rate_limit'
  | 'over_request_rate_limit'
  | 'over_sms_send_rate_limit'
  | 'phone_exists'
  | 'phone_not_confirmed'
  | 'phone_provider_disabled'
  | 'provider_disabled'
  | 'provider_email_needs_verification'
  | 'reauthentication_needed'
  | 'reauthentication_not_valid'
  | 'refresh_token_already_used'
  | 'refresh_token_not_found'
  | 'request_entity_too_large'
  | 'request_timeout'
  | 'same_password'
  | 'saml_assertion_no_email'
  | 'saml_provider_disabled'
  | 'saml_relay_state_expired'
  | 'saml_relay_state_not_found'
  | 'session_expired'
  | 'session_not_found'
  | 'signup_disabled'
  | 'single_identity_not_deletable'
  | 'sms_send_failed'
  | 'sso_provider_not_found'
  | 'too_many_enrolled_mfa_factors'
  | 'unexpected_failure'
  | 'user_already_exists'
  | 'user_banned'
  | 'user_not_found'
  | 'user_sso_managed'
  | 'validation_failed'
  | 'weak_password'
  | 'web3_provider_disabled'
  | 'web3_unsupported_chain'

export type WeakPasswordReason = 'length' | 'characters' | 'patterns' | 'pwned'

interface AuthErrorOptions {
  /** OAuth's own form of an error (RFC 6749 §5.2), which some grants answer with */
  oauthError?: string
  weakPasswordReasons?: readonly WeakPasswordReason[]
  retryAfterSeconds?: number
  /** the limit that was met: the wire's codes do not distinguish them */
  limit?: Limit
}

/**
 * A refusal on the authentication wire. The client sees the message as it is: no personal data, no secrets.
 */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  readonly status: number
  readonly code: AuthErrorCode
  readonly weakPasswordReasons: readonly WeakPasswordReason[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly limit: Limit | undefined
  readonly oauthError: string | undefined

  constructor(status: number, code: AuthErrorCode, message: string, options: AuthErrorOptions = {}) {
    super(message)
    this.status = status
    this.code = code
    this.weakPasswordReasons = options.weakPasswordReasons
    this.retryAfterSeconds = options.retryAfterSeconds
    this.limit = options.limit
    this.oauthError = options.oauthError
  }
}

/** One message for an unknown address, an account without a password and a wrong password. */
export function invalidCredentials(): AuthError {
  return new AuthError(400, 'invalid_credentials', 'Invalid login credentials')
}

/** Banned until later, or suspended. Only a caller who has proven to own the account is told. */
export function userBanned(): AuthError {
  return new AuthError(403, 'user_banned', 'User is banned')
}

/** The token is valid, but its user no longer exists. */
export function userGone(): AuthError {
  return new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist')
}

/** The session ended or expired from inactivity before the request did its work. */
export function sessionNotFound(): AuthError {
  return new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
}

/** Only administrators create accounts. */
export function signupDisabled(): AuthError {
  return new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance')
}

/** No factor has this id, or it belongs to another user. */
export function factorNotFound(): AuthError {
  return new AuthError(404, 'mfa_factor_not_found', 'Factor not found')
}

/** docs/product.md §8 looks for 'Too many requests' in the message. */
export function tooManyRequests(retryAfterSeconds: number): AuthError {
  const minutes = Math.ceil(retryAfterSeconds / 60)
  const wait = minutes <= 1 ? 'in a minute' : `in ${minutes} minutes`
  return new AuthError(429, 'over_request_rate_limit', `Too many requests. Please try again ${wait}.`, {
    retryAfterSeconds,
    limit: 'failed_attempts',
  })
}

/** The input breaks a rule of the wire. */
export function validationFailed(message: string): AuthError {
  return new AuthError(400, 'validation_failed', message)
}

/** A refusal of the grants that answer in OAuth's form, always with 400. */
export function oauthError(error: string, description: string): AuthError {
  return new AuthError(400, 'validation_failed', description, { oauthError: error })
}

/** A second mail or message of one kind came too soon after the first. */
export function tooSoon(seconds: number, kind: 'mail' | 'sms'): AuthError {
  const code = kind === 'mail' ? 'over_email_send_rate_limit' : 'over_sms_send_rate_limit'
  const message = `For security purposes, you can only request this after ${seconds} seconds.`
  return new AuthError(429, code, message, { retryAfterSeconds: seconds, limit: 'send_gap' })
}
