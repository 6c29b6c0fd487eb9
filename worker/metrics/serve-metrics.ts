import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mayReadMetrics } from '#core/http/may-read-metrics.ts'
import { openHttpServer } from '#core/http/open-http-server.ts'
import { createMetricsReader } from '#core/telemetry/create-metrics-reader.ts'
import type { WorkerContext } from '../context.ts'

/** The worker's only HTTP server: `/healthz` for probes and `/metrics` for Prometheus, on METRICS_PORT. */
export async function serveMetrics(
  context: WorkerContext,
  port: number,
): Promise<{ port: number; close: () => Promise<void> }> {
  const { config, logger, metrics } = context
  const readMetrics = createMetricsReader(metrics.registry, config.build)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // An unreadable address (`//`) is answered as not found.
    const pathname = URL.parse(request.url ?? '/', 'http://worker')?.pathname
    response.setHeader('Cache-Control', 'no-store')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    } else if (pathname === '/healthz') {
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ status: 'alive', ...config.build }))
    } else if (pathname !== '/metrics') {
      response.writeHead(404).end()
    } else if (mayReadMetrics(request, config.http)) {
      const text = await readMetrics()
      response.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text)
    } else {
      response
        .writeHead(403)
        .end('Metrics are for this machine by its own name (localhost), or for bearers of METRICS_TOKEN.\n')
    }
  }

  const opened = await openHttpServer({
    host: config.http.host,
    port,
    listener: (request, response) => {
      answer(request, response).catch((error: unknown) => {
        logger.error({ err: error }, 'metrics could not be read')
        if (!response.headersSent) response.writeHead(500)
        response.end()
      })
    },
  })
  const { server } = opened
  return {
    port: opened.port,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
