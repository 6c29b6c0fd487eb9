import type { FieldError, ProblemCode } from './contract/problem.ts'

const STATUS: Record<ProblemCode, number> = {
  validation_failed: 422,
  malformed_body: 400,
  body_too_large: 413,
  unsupported_media_type: 415,
  unauthenticated: 401,
  invalid_token: 401,
  invalid_api_key: 401,
  invalid_signature: 400,
  forbidden: 403,
  mfa_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  version_conflict: 409,
  idempotency_key_reused: 422,
  unusable_endpoint: 422,
  too_many_webhooks: 422,
  too_many_orders: 422,
  rate_limited: 429,
  unavailable: 503,
  internal_error: 500,
}

/** Optional facts of a failure, beside its code and sentence. */
export interface AppErrorOptions {
  errors?: readonly FieldError[]
  cause?: unknown
  retryable?: boolean
  /** when to ask again; sent as `Retry-After` */
  retryAfterSeconds?: number
}

/**
 * A failure with a code on which programs may branch and a sentence that people may read. `detail` is sent to the
 * client unchanged: never put personal data or secrets in it.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ProblemCode
  readonly status: number
  readonly errors: readonly FieldError[]
  readonly retryable: boolean
  readonly retryAfterSeconds: number | undefined

  constructor(code: ProblemCode, detail: string, options: AppErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = STATUS[code]
    this.errors = options.errors ?? []
    this.retryable = options.retryable ?? this.status >= 500
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
