export type AuthErrorCode =
  | 'anonymous_provider_disabled'
  | 'bad_json'
  | 'bad_jwt'
  | 'conflict'
  | 'email_not_confirmed'
  | 'invalid_credentials'
  | 'no_authorization'
  | 'not_found'
  | 'over_request_rate_limit'
  | 'phone_provider_disabled'
  | 'refresh_token_already_used'
  | 'refresh_token_not_found'
  | 'request_entity_too_large'
  | 'session_not_found'
  | 'unexpected_failure'
  | 'user_already_exists'
  | 'user_banned'
  | 'user_not_found'
  | 'validation_failed'
  | 'weak_password'

export type WeakPasswordReason = 'length' | 'characters' | 'patterns'

interface AuthErrorOptions {
  weakPasswordReasons?: readonly WeakPasswordReason[]
  retryAfterSeconds?: number
}

/** A refusal on the authentication wire. The message reaches the client as it is: no personal data, no secrets. */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  readonly status: number
  readonly code: AuthErrorCode
  readonly weakPasswordReasons: readonly WeakPasswordReason[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, code: AuthErrorCode, message: string, options: AuthErrorOptions = {}) {
    super(message)
    this.status = status
    this.code = code
    this.weakPasswordReasons = options.weakPasswordReasons
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** One message for an unknown address, an account without a password and a wrong password. */
export function invalidCredentials(): AuthError {
  return new AuthError(400, 'invalid_credentials', 'Invalid login credentials')
}

/** SPEC.md §8 looks for 'Too many requests' in the message. */
export function tooManyRequests(retryAfterSeconds: number): AuthError {
  const minutes = Math.ceil(retryAfterSeconds / 60)
  const wait = minutes <= 1 ? 'in a minute' : `in ${minutes} minutes`
  return new AuthError(429, 'over_request_rate_limit', `Too many requests. Please try again ${wait}.`, {
    retryAfterSeconds,
  })
}
