import { timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { Router, type Request } from 'express'
import { pingDatabase } from '#core/data/database.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import { findMissingMigrations } from '../find-missing-migrations.ts'

/** For probes and for Prometheus. Liveness asks nothing of others, so that an outage elsewhere restarts nobody. */
export function createHealthRouter(context: ServerContext): Router {
  const router = Router()

  router.get('/healthz', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'alive' })
  })

  router.get('/readyz', async (_request, response) => {
    const missing = await listMissing(context)
    response
      .status(missing.length === 0 ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ status: missing.length === 0 ? 'ready' : 'not ready', missing })
  })

  router.get('/metrics', async (request, response) => {
    if (!mayReadMetrics(request, context.config.http.metricsToken)) {
      throw new AppError('forbidden', 'Metrics are for this machine, or for bearers of METRICS_TOKEN.')
    }
    response.type(context.metrics.registry.contentType).send(await context.metrics.registry.metrics())
  })

  return router
}

async function listMissing(context: ServerContext): Promise<string[]> {
  const missing: string[] = []
  try {
    await pingDatabase(context.db)
    if ((await findMissingMigrations(context.db)).length > 0) missing.push('migrations')
  } catch (error) {
    context.logger.debug({ err: error }, 'the database does not answer')
    missing.push('database')
  }
  if (!context.isRedisReady()) missing.push('redis')
  return missing
}

/** The loopback, or a bearer of the token. Behind a proxy every request comes from this machine, so there only the token counts. */
function mayReadMetrics(request: Request, token: string | undefined): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.get('Authorization') ?? '') ?? []
  if (token !== undefined) {
    const [a, b] = [Buffer.from(given), Buffer.from(token)]
    if (a.length === b.length && timingSafeEqual(a, b)) return true
  }
  const peer = request.socket.remoteAddress ?? ''
  const isLoopback = isIP(peer) !== 0 && /^(127\.|::1$|::ffff:127\.)/.test(peer)
  return isLoopback && request.get('X-Forwarded-For') === undefined && request.get('Forwarded') === undefined
}
