import type { ErrorRequestHandler } from 'express'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { asStorageFailure } from './storage-failure.ts'

/** Headers that may be set already when a file cannot be sent. */
const OF_THE_FILE = ['Content-Type', 'Content-Length', 'Content-Disposition', 'ETag', 'Last-Modified']

/** The storage wire's one boundary for failures: answers in its form, and logs faults of ours with ids only. */
export function answerStorageFailure(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const failure = asStorageFailure(error)
    if (failure.status >= 500)
      logger.error(
        { req_id: request.id, code: failure.fault, failure: describeError(failure.cause ?? failure) },
        'a request for files failed',
      )
    if (response.headersSent) {
      // A partial file must not look complete.
      request.socket.destroy()
      return
    }
    for (const header of OF_THE_FILE) response.removeHeader(header)
    if (failure.retryAfterSeconds !== undefined)
      response.set('Retry-After', String(failure.retryAfterSeconds))
    response.status(failure.status).set('Cache-Control', 'no-store').json(failure.body)
  }
}
