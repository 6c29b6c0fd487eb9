import type { ErrorRequestHandler } from 'express'
import type { FieldError, Problem, ProblemCode } from '#core/contract/problem.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import { AppError } from '#core/errors.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { isDatabaseAway } from './is-database-away.ts'

const TITLES: Record<ProblemCode, string> = {
  validation_failed: 'The input is not valid',
  malformed_body: 'The body cannot be read',
  body_too_large: 'The body is too large',
  unsupported_media_type: 'This content type is not accepted here',
  unauthenticated: 'Authentication is needed',
  invalid_token: 'The access token is not valid',
  invalid_api_key: 'The API key is not valid',
  forbidden: 'Not allowed',
  mfa_required: 'A second factor is needed',
  not_found: 'Not found',
  method_not_allowed: 'This method is not supported here',
  conflict: 'The request conflicts with the current state',
  idempotency_key_reused: 'The Idempotency-Key was used for another request',
  unusable_endpoint: 'The endpoint cannot be used',
  rate_limited: 'Too many requests',
  unavailable: 'Temporarily unavailable',
  internal_error: 'Something went wrong',
}

/** Seconds after which a client may ask again while the database is away. */
const RETRY_AFTER = '2'

/** The server's one boundary for failures (RFC 9457): maps, answers, and logs once, with ids only. */
export function handleErrors(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const failure = recogniseError(error)
    if (failure.status >= 500) {
      logger.error(
        { req_id: request.id, code: failure.code, failure: describeError(causeOf(error)) },
        'a request failed',
      )
    }
    if (response.headersSent) {
      next(error)
      return
    }
    if (failure.code === 'unavailable') response.set('Retry-After', RETRY_AFTER)
    if (failure.status === 401) response.set('WWW-Authenticate', 'Bearer')
    // To functions-js a token that is no good is not the function's answer but its gateway's.
    if (failure.code === 'invalid_token' && request.path.startsWith('/functions/v1/'))
      response.set('x-relay-error', 'true')
    response
      .status(failure.status)
      .type('application/problem+json')
      .send(JSON.stringify(describeProblem(failure)))
  }
}

/** The body of a failure. The title is fixed for each code, the detail belongs to the occurrence. */
export function describeProblem(failure: {
  code: ProblemCode
  status: number
  message: string
  errors: readonly FieldError[]
}): Problem {
  return {
    type: 'about:blank',
    title: TITLES[failure.code],
    status: failure.status,
    detail: failure.message,
    code: failure.code,
    errors: [...failure.errors],
  }
}

function recogniseError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code, type, status, expose } = shapeOf(error)
  if (type === 'entity.too.large')
    return new AppError('body_too_large', 'The body is larger than this call accepts.')
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return new AppError('unsupported_media_type', 'The content encoding of the body is not supported.')
  }
  // The body reader's other refusals: cut short, a wrong length; what is not compressed as it says has no type.
  if (typeof status === 'number' && status < 500 && (typeof type === 'string' || expose === true)) {
    return new AppError('malformed_body', 'The body could not be read to its end.')
  }
  if (error instanceof URIError) return new AppError('not_found', 'Nothing is here.')
  if (isDatabaseAway(error)) {
    return new AppError('unavailable', 'The service cannot reach its database. Please try again.', {
      cause: error,
    })
  }
  // Text that PostgreSQL cannot hold: NUL, half a surrogate pair.
  if (code === '22021' || code === '22P05') {
    return new AppError('validation_failed', 'The input contains characters that cannot be stored.')
  }
  return new AppError('internal_error', 'The request failed for a reason of ours. It has been logged.', {
    cause: error,
  })
}

function causeOf(error: unknown): unknown {
  return error instanceof AppError && error.cause !== undefined ? error.cause : error
}

function shapeOf(error: unknown): { code?: unknown; type?: unknown; status?: unknown; expose?: unknown } {
  return typeof error === 'object' && error !== null ? error : {}
}
