import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import { isProductBucket } from '#core/contract/files/buckets.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import type { ServerContext } from '../context.ts'

declare module 'node:http' {
  interface IncomingMessage {
    /** the request's id, also in the answer's X-Request-Id */
    id?: string
  }
}

/** Requests to these paths are frequent and not worth a log line. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics'])

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Gives each request an id, counts it, and logs it once with its route and duration: never the query string
 * or a header. A line that this level does not log is not built either.
 */
export function logRequests({
  logger,
  operations: { metrics },
}: Pick<ServerContext, 'logger' | 'operations'>): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now()
    request.id = chooseId(request)
    response.setHeader('X-Request-Id', request.id)
    // A response closes once, whether it was sent or broken off.
    response.once('close', () => {
      const tookMs = performance.now() - startedAt
      // A stream stays open as long as somebody listens, so its duration says nothing about our speed.
      const isStream = String(response.getHeader('Content-Type')).startsWith('text/event-stream')
      if (response.writableFinished && !isStream) {
        metrics.observe(patternOf(request), request.method, response.statusCode, tookMs / 1000)
      }
      logRequest(logger, request, response, tookMs)
    })
    next()
  }
}

function chooseId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
}

function patternOf(request: Request): string {
  const route = request.route as { path: string } | undefined
  // Express accepts a path in any letter case; without this a caller could create a new metric series for
  // each spelling.
  return route === undefined ? 'other' : `${request.baseUrl.toLowerCase()}${route.path}`
}

function logRequest(logger: Logger, request: Request, response: Response, tookMs: number): void {
  const { statusCode: status } = response
  const level = status >= 500 ? 'warn' : status >= 400 ? 'info' : 'debug'
  const { id, method, originalUrl: url } = request
  if (!logger.isLevelEnabled(level) || QUIET.has(url) || url.startsWith('/assets/')) return
  const outcome = status >= 500 ? 'errored' : response.writableFinished ? 'completed' : 'aborted'
  logger[level](
    { req: { id, method, path: maskPath(url) }, res: { status }, responseTime: Math.round(tookMs) },
    `request ${outcome}`,
  )
}

/**
 * Keeps ids and the words of routes. Any other text in a path may be personal data (an address, a phone, the name of a
 * file) and must not reach the log.
 */
function maskPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  const isOfFile = path.startsWith('/storage/v1/object/')
  return path
    .split('/')
    .map((part, at) => (isWord(part) && !(isOfFile && at > FILE_WORDS && !isOfBucket(part)) ? part : '…'))
    .join('/')
}

/** The last part that is a word of the storage wire: '', storage, v1, object, and a call or a bucket. */
const FILE_WORDS = 4

function isWord(part: string): boolean {
  return /^[\w.-]{0,64}$/.test(part) && !/\d{7}/.test(part.replace(UUID, ''))
}

function isOfBucket(part: string): boolean {
  return UUID.test(part) || isProductBucket(part)
}
