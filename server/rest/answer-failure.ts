import type { ErrorRequestHandler, Request } from 'express'
import { AppError } from '#core/errors.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { ServerContext } from '../context.ts'
import { readBearer, verifyAccessToken } from '../identity/access-token.ts'
import { judgeServiceKey } from '../identity/judge-service-key.ts'
import {
  BUSY_RETRY_AFTER_SECONDS,
  recogniseError,
  RETRY_AFTER_SECONDS,
  SERVER_BUSY,
  TOO_MANY_BODIES,
} from '../http/errors/recognise-error.ts'
import { notPermitted, RestError } from './rest-error.ts'

/** A refusal, and when to ask again. */
interface Failure {
  error: RestError
  retryAfterSeconds?: number | undefined
}

/** Answers every failure below /rest/v1 in PostgREST's form. Logged once, with ids only. */
export function answerFailures(context: ServerContext): ErrorRequestHandler {
  return async (thrown: unknown, request, response, next) => {
    if (response.headersSent) {
      next(thrown)
      return
    }
    const { error, retryAfterSeconds } = await describe(context, request, thrown)
    if (error.status >= 500) {
      const cause: unknown = thrown instanceof AppError && thrown.cause !== undefined ? thrown.cause : thrown
      context.logger.error(
        { req_id: request.id, code: error.code, failure: describeError(cause) },
        'a request failed',
      )
    }
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds))
    if (error.status === 401) response.set('WWW-Authenticate', 'Bearer')
    const { code, message, details, hint } = error
    response
      // postgrest-js takes a 404 without a body, as HEAD gets it, for success.
      .status(request.method === 'HEAD' && error.status === 404 ? 400 : error.status)
      .set({ ...error.headers, 'Cache-Control': 'no-store', 'Proxy-Status': `PostgREST; error=${code}` })
      .type('application/json')
      .send(JSON.stringify({ code, message, details, hint }))
  }
}

async function describe(context: ServerContext, request: Request, thrown: unknown): Promise<Failure> {
  if (thrown instanceof RestError) return { error: thrown }
  if (thrown instanceof AppError) return await describeRefusal(context, request, thrown)
  switch (recogniseError(thrown)) {
    case 'body_too_large':
      return { error: new RestError(413, 'PT413', 'The body is larger than this call accepts.') }
    case 'too_many_bodies':
      return {
        error: new RestError(429, 'PT429', TOO_MANY_BODIES),
        retryAfterSeconds: BUSY_RETRY_AFTER_SECONDS,
      }
    case 'unsupported_encoding':
    case 'unreadable_body':
      return { error: new RestError(400, 'PGRST102', 'Empty or invalid json') }
    case 'bad_path':
      return { error: invalidPath() }
    case 'unstorable_text':
      return { error: new RestError(400, '22P05', 'The input contains characters that cannot be stored.') }
    case 'database_away':
    case 'database_busy':
      return {
        error: new RestError(503, 'PGRST001', 'Database client error. Retrying the connection.'),
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }
    case 'server_busy':
      return {
        error: new RestError(503, 'PGRST003', SERVER_BUSY),
        retryAfterSeconds: BUSY_RETRY_AFTER_SECONDS,
      }
    case 'unknown':
      return {
        error: new RestError(500, 'XX000', 'The request failed for a reason of ours. It has been logged.'),
      }
  }
}

export function invalidPath(): RestError {
  return new RestError(404, 'PGRST125', 'Invalid path specified in request URL')
}

async function describeRefusal(
  context: ServerContext,
  request: Request,
  refusal: AppError,
): Promise<Failure> {
  const { status, code, message, errors, retryAfterSeconds } = refusal
  switch (code) {
    case 'unauthenticated':
      return { error: await refuseNobody(context, request) }
    case 'invalid_token':
      return { error: await refuseToken(context, request, message) }
    case 'forbidden':
    case 'mfa_required':
      return { error: notPermitted(message) }
    case 'malformed_body':
    case 'unsupported_media_type':
      return { error: new RestError(400, 'PGRST102', 'Empty or invalid json', { details: message }) }
    case 'method_not_allowed':
      return { error: new RestError(405, 'PGRST117', `Unsupported HTTP method: ${request.method}`) }
    default: {
      // PostgREST's way to pass on a status of the application's own: https://docs.postgrest.org, "Raise errors".
      const details = errors.map((one) => `${one.path}: ${one.message}`).join('; ')
      const told = errors[0]?.message ?? message
      const error = new RestError(status, `PT${status}`, told, { details: details === '' ? null : details })
      return { error, retryAfterSeconds }
    }
  }
}

/** Nobody is signed in: no token, or the app's public key; or the service itself asks, which has no rows. */
async function refuseNobody(context: ServerContext, request: Request): Promise<RestError> {
  if ((await judgeServiceKey(context, request.get('Authorization'))) === 'service') {
    return notPermitted('The service key belongs to no account, so it has no rows here.', {
      hint: 'Use the access token of a person.',
    })
  }
  return notPermitted(`permission denied for ${nameOf(request)}`, { status: 401, hint: 'Sign in first.' })
}

async function refuseToken(context: ServerContext, request: Request, message: string): Promise<RestError> {
  const token = readBearer(request.get('Authorization')) ?? ''
  // While nobody is signed in, the client library sends the app's public key as a token.
  if (token === request.get('apikey')) return await refuseNobody(context, request)
  const verified = await verifyAccessToken(context, token)
  if (verified.ok) return new RestError(401, 'PGRST303', message)
  const isExpired = verified.reason.startsWith('"exp" claim timestamp check failed')
  return isExpired
    ? new RestError(401, 'PGRST303', 'JWT expired')
    : new RestError(401, 'PGRST301', 'The token is no valid JWT of this server')
}

function nameOf(request: Request): string {
  const [, , , first = '', second] = request.originalUrl.split(/[/?]/)
  return first === 'rpc' ? `function ${second ?? ''}`.slice(0, 100) : `table ${first}`.slice(0, 100)
}
