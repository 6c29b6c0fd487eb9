import type { RequestHandler } from 'express'
import type { Tracing } from '#core/telemetry/tracing.ts'

/**
 * One span for each request of a route, named by its pattern: a path may hold ids, and a query search terms.
 * A trace begins here. A caller's own trace is not continued: callers are strangers, and its flags would
 * decide what is kept.
 */
export function traceRequests(tracing: Tracing, method: string, path: string): RequestHandler {
  return (request, response, next) => {
    void tracing.inSpan(
      `${method} ${path}`,
      { 'http.request.method': method, 'http.route': path },
      async (note) => {
        const ended = new Promise<void>((resolve) => {
          response.once('close', resolve)
        })
        next()
        await ended
        note({ 'http.response.status_code': response.statusCode })
        if (typeof request.id === 'string') note({ 'leadwire.request_id': request.id })
      },
      { kind: 'server', from: 'none' },
    )
  }
}
