import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import type { Logger } from '#core/telemetry/logger.ts'
import type { ServerContext } from '../context.ts'

declare module 'node:http' {
  interface IncomingMessage {
    /** The same as in the answer's X-Request-Id. */
    id?: string
  }
}

/** Answers under these are many and say nothing. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics'])

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Gives each request an id, counts it, and logs it once with its route and duration: never the query string or a header. What is not
 * logged at this level is not put in words either.
 */
export function logRequests({
  logger,
  operations: { metrics },
}: Pick<ServerContext, 'logger' | 'operations'>): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now()
    request.id = chooseId(request)
    response.setHeader('X-Request-Id', request.id)
    // It closes once, whether it was sent or broken off.
    response.once('close', () => {
      const tookMs = performance.now() - startedAt
      // A stream is open for as long as somebody listens, which says nothing of how soon we answer.
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
  // Express takes a path in any spelling; a caller must not make a line of metrics of each.
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

/** Ids and words of routes; what else somebody types into a path (an address, a phone) is nobody's to read in a log. */
function maskPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path
    .split('/')
    .map((part) => (/^[\w.-]{0,64}$/.test(part) && !/\d{7}/.test(part.replace(UUID, '')) ? part : '…'))
    .join('/')
}
