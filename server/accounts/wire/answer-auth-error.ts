import { randomUUID } from 'node:crypto'
import type { ErrorRequestHandler, Request, Response } from 'express'
import { LIMIT_HEADER } from '#core/contract/accounts/account-limit.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import {
  BUSY_RETRY_AFTER_SECONDS,
  recogniseError,
  RETRY_AFTER_SECONDS,
  SERVER_BUSY,
  TOO_MANY_BODIES,
} from '#server/http/errors/recognise-error.ts'
import { LARGEST_BODY_BYTES } from '../auth-policy.ts'
import { AuthError } from './auth-error.ts'

const API_VERSION = '2024-01-01'

/**
 * The service's one boundary for failures: answers in the body version that the client asked for, and logs
 * unexpected ones.
 */
export function answerAuthErrors(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    // A late answer was already sent: nobody reads the handler's own answer, and the connection serves the
    // next request.
    const isLate = response.writableEnded
    if (isLate && isAnsweredTwice(error)) return
    if (response.headersSent && !isLate) {
      next(error)
      return
    }
    const known = describeFailure(error)
    if (known !== undefined) {
      if (known.status >= 500)
        logger.warn({ code: known.code, failure: describeError(error) }, 'a request cannot be answered now')
      if (!isLate) sendAuthError(request, response, known)
      return
    }
    const errorId = randomUUID()
    logger.error(
      { error_id: errorId, failure: describeError(error) },
      'a request to the authentication service failed',
    )
    const message = 'Unexpected failure, please check server logs for more information'
    if (!isLate) sendAuthError(request, response, new AuthError(500, 'unexpected_failure', message), errorId)
  }
}

/** A refusal or failure in the wire's form. */
export function sendAuthError(
  request: Request,
  response: Response,
  error: AuthError,
  errorId?: string,
): void {
  response.status(error.status).set('x-sb-error-code', error.code)
  if (error.retryAfterSeconds !== undefined) response.set('Retry-After', String(error.retryAfterSeconds))
  if (error.limit !== undefined) response.set(LIMIT_HEADER, error.limit)
  if (error.oauthError !== undefined) {
    response.json({ error: error.oauthError, error_description: error.message })
    return
  }
  const reasons = error.weakPasswordReasons
  const weakPassword = reasons === undefined ? {} : { weak_password: { reasons } }
  if (wantsNewBody(request.get('X-Supabase-Api-Version'))) {
    // error_code repeats the code for clients behind a proxy that strips the version header.
    response
      .set('X-Supabase-Api-Version', API_VERSION)
      .json({ code: error.code, error_code: error.code, message: error.message, ...weakPassword })
    return
  }
  const id = errorId === undefined ? {} : { error_id: errorId }
  response.json({ code: error.status, error_code: error.code, msg: error.message, ...weakPassword, ...id })
}

function wantsNewBody(version: string | undefined): boolean {
  return version !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= API_VERSION
}

function isAnsweredTwice(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_HTTP_HEADERS_SENT'
}

/** The wire's error for a failure; undefined for a fault of ours. */
function describeFailure(error: unknown): AuthError | undefined {
  if (error instanceof AuthError) return error
  switch (recogniseError(error)) {
    case 'body_too_large': {
      const message = `Request body too large (max ${LARGEST_BODY_BYTES} bytes)`
      return new AuthError(413, 'request_entity_too_large', message)
    }
    case 'too_many_bodies':
      return new AuthError(429, 'over_request_rate_limit', TOO_MANY_BODIES, {
        retryAfterSeconds: BUSY_RETRY_AFTER_SECONDS,
      })
    case 'unsupported_encoding':
    case 'unreadable_body':
      return new AuthError(
        400,
        'bad_json',
        'Could not parse request body as JSON: the body could not be read',
      )
    case 'bad_path':
      return new AuthError(404, 'not_found', 'Not found')
    case 'unstorable_text':
      return new AuthError(400, 'validation_failed', 'The request contains characters that cannot be stored')
    case 'database_away':
      return comeBack('The service cannot reach its database. Please try again.')
    case 'database_busy':
      return comeBack('The database is too busy to finish this. Please try again.')
    case 'server_busy':
      return comeBack(SERVER_BUSY, BUSY_RETRY_AFTER_SECONDS)
    case 'unknown':
      return undefined
  }
}

/** The client repeats a 5xx by itself. */
function comeBack(message: string, retryAfterSeconds = RETRY_AFTER_SECONDS): AuthError {
  return new AuthError(503, 'unexpected_failure', message, { retryAfterSeconds })
}
