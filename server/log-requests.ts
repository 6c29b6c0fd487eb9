import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import { pinoHttp } from 'pino-http'
import type { ServerContext } from './context.ts'

/** Answers under these are many and say nothing. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics'])

/** Gives each request an id, and logs it once with its route and duration: never the query string or a header. */
export function logRequests({ logger, metrics }: ServerContext): RequestHandler {
  const log = pinoHttp({
    logger,
    genReqId: (request, response) => {
      const given = request.headers['x-request-id']
      const id = typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
      response.setHeader('X-Request-Id', id)
      return id
    },
    autoLogging: {
      ignore: (request) => QUIET.has(request.url ?? '') || (request.url ?? '').startsWith('/assets/'),
    },
    customLogLevel: (_request, response, error) =>
      error !== undefined || response.statusCode >= 500
        ? 'warn'
        : response.statusCode >= 400
          ? 'info'
          : 'debug',
    serializers: {
      req: (request: { id: string; method: string; url: string }) => ({
        id: request.id,
        method: request.method,
        path: request.url.split('?', 1)[0],
      }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      err: () => undefined,
    },
  })
  return (request, response, next) => {
    const startedAt = performance.now()
    response.once('finish', () => {
      const route = request.route as { path: string } | undefined
      const pattern = route === undefined ? 'other' : `${request.baseUrl}${route.path}`
      metrics.observe(pattern, request.method, response.statusCode, (performance.now() - startedAt) / 1000)
    })
    log(request, response)
    next()
  }
}
