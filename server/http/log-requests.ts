import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import { pinoHttp } from 'pino-http'
import type { ServerContext } from '../context.ts'

/** Answers under these are many and say nothing. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics'])

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

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
        path: maskPath(request.url),
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

/** Ids and words of routes; what else somebody types into a path (an address, a phone) is nobody's to read in a log. */
function maskPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path
    .split('/')
    .map((part) => (/^[\w.-]{0,64}$/.test(part) && !/\d{7}/.test(part.replace(UUID, '')) ? part : '…'))
    .join('/')
}
