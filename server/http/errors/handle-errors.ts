import type { ErrorRequestHandler, Request } from 'express'
import type { FieldError, Problem, ProblemCode } from '#core/contract/problem.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import { AppError } from '#core/errors.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import type { PublicSite } from '../web/serve-site.ts'
import {
  BUSY_RETRY_AFTER_SECONDS,
  recogniseError,
  RETRY_AFTER_SECONDS,
  SERVER_BUSY,
  TOO_MANY_BODIES,
} from './recognise-error.ts'

const TITLES: Record<ProblemCode, string> = {
  validation_failed: 'The input is not valid',
  malformed_body: 'The body cannot be read',
  body_too_large: 'The body is too large',
  unsupported_media_type: 'This content type is not accepted here',
  unauthenticated: 'Authentication is needed',
  invalid_token: 'The access token is not valid',
  invalid_api_key: 'The API key is not valid',
  invalid_signature: 'The signature is not valid',
  forbidden: 'Not allowed',
  mfa_required: 'A second factor is needed',
  not_found: 'Not found',
  method_not_allowed: 'This method is not supported here',
  conflict: 'The request conflicts with the current state',
  version_conflict: 'It was changed meanwhile',
  idempotency_key_reused: 'The Idempotency-Key was used for another request',
  unusable_endpoint: 'The endpoint cannot be used',
  too_many_webhooks: 'There are as many webhooks as there may be',
  too_many_orders: 'There are as many orders as there may be',
  rate_limited: 'Too many requests',
  unavailable: 'Temporarily unavailable',
  internal_error: 'Something went wrong',
}

/**
 * The server's one boundary for failures (RFC 9457): maps, answers, and logs once, with ids only. A program
 * gets a problem document, a browser that opened a page gets a page.
 */
export function handleErrors(
  logger: Logger,
  pages?: Pick<PublicSite, 'sendMissing' | 'sendFailure'>,
): ErrorRequestHandler {
  return async (error: unknown, request, response, _next) => {
    const failure = describeFailure(error)
    if (failure.status >= 500) {
      logger.error(
        { req_id: request.id, code: failure.code, failure: describeError(causeOf(error)) },
        'a request failed',
      )
    }
    if (response.headersSent) {
      // A partial answer must not look complete. Express would do the same, but also print the whole error.
      request.socket.destroy()
      return
    }
    const comeBack =
      failure.retryAfterSeconds ?? (failure.code === 'unavailable' ? RETRY_AFTER_SECONDS : undefined)
    if (comeBack !== undefined) response.set('Retry-After', String(comeBack))
    if (pages !== undefined && wantsPage(request)) {
      if (failure.status === 404 && (await pages.sendMissing(request, response))) return
      if (failure.status >= 500 && (await pages.sendFailure(request, response, failure.status))) return
    }
    if (failure.status === 401) response.set('WWW-Authenticate', 'Bearer')
    // functions-js expects that an invalid token is refused by the gateway, not by the function.
    if (failure.code === 'invalid_token' && request.path.startsWith('/functions/v1/'))
      response.set('x-relay-error', 'true')
    response
      .status(failure.status)
      // Otherwise a cache could give it to others: a 404 without a directive may be cached, and some caches
      // keep any answer.
      .set('Cache-Control', 'no-store')
      .type('application/problem+json')
      .send(JSON.stringify(describeProblem(failure)))
  }
}

/** Whether a browser asks for a page to show; the paths below answer only programs. */
function wantsPage(request: Request): boolean {
  const isPage = !/^\/(?:api|auth|functions|rest|graphql|storage|realtime)\/v1\b/.test(request.path)
  return isPage && request.method === 'GET' && request.accepts(['json', 'html']) === 'html'
}

/** The body of a failure. The title is fixed for each code; the detail describes the occurrence. */
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

function describeFailure(error: unknown): AppError {
  if (error instanceof AppError) return error
  switch (recogniseError(error)) {
    case 'body_too_large':
      return new AppError('body_too_large', 'The body is larger than this call accepts.')
    case 'too_many_bodies':
      return new AppError('rate_limited', TOO_MANY_BODIES, { retryAfterSeconds: BUSY_RETRY_AFTER_SECONDS })
    case 'unsupported_encoding':
      return new AppError('unsupported_media_type', 'The content encoding of the body is not supported.')
    case 'unreadable_body':
      return new AppError('malformed_body', 'The body could not be read to its end.')
    case 'bad_path':
      return new AppError('not_found', 'Nothing is here.')
    case 'unstorable_text':
      return new AppError('validation_failed', 'The input contains characters that cannot be stored.')
    case 'database_away': {
      const message = 'The service cannot reach its database. Please try again.'
      return new AppError('unavailable', message, { cause: error })
    }
    case 'database_busy': {
      const message = 'The database is too busy to finish this. Please try again.'
      return new AppError('unavailable', message, { cause: error })
    }
    case 'server_busy':
      return new AppError('unavailable', SERVER_BUSY, {
        cause: error,
        retryAfterSeconds: BUSY_RETRY_AFTER_SECONDS,
      })
    case 'unknown': {
      const message = 'The request failed for a reason of ours. It has been logged.'
      return new AppError('internal_error', message, { cause: error })
    }
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof AppError && error.cause !== undefined ? error.cause : error
}
