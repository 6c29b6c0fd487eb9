import { Router } from 'express'
import { pingDatabase } from '#core/data/database.ts'
import { AppError } from '#core/errors.ts'
import { askTogether } from '#core/concurrency/ask-together.ts'
import { mayReadMetrics } from '#core/http/may-read-metrics.ts'
import type { ServerContext } from '../context.ts'
import { findMissingMigrations } from '#core/migrations.ts'
import { RETRY_AFTER_SECONDS } from './errors/recognise-error.ts'

/**
 * For probes and for Prometheus. The liveness probe checks no other service, so that an outage elsewhere
 * restarts nothing.
 */
export function createHealthRouter(context: ServerContext): Router {
  const router = Router()
  // Shared by concurrent requests, because strangers may ask as often as they like.
  const askDatabase = askTogether(() => listMissingOfDatabase(context))

  router.get('/healthz', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'alive', ...context.config.build })
  })

  router.get('/readyz', async (_request, response) => {
    const missing = [...(await askDatabase()), ...(context.announce.isReady() ? [] : ['redis'])]
    if (missing.length > 0) response.set('Retry-After', String(RETRY_AFTER_SECONDS))
    response
      .status(missing.length === 0 ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ status: missing.length === 0 ? 'ready' : 'not ready', missing })
  })

  router.get('/metrics', async (request, response) => {
    if (!mayReadMetrics(request, context.config.http)) {
      const message =
        'Metrics are for this machine by its own name (localhost), or for bearers of METRICS_TOKEN.'
      throw new AppError('forbidden', message)
    }
    response.type(context.operations.metrics.contentType).send(await context.operations.metrics.read())
  })

  return router
}

async function listMissingOfDatabase(context: ServerContext): Promise<string[]> {
  const missing: string[] = []
  try {
    // This check reads a table of the migrations, which may be missing as well.
    if ((await findMissingMigrations(context.db)).length > 0) missing.push('migrations')
    else await pingDatabase(context.db)
  } catch (error) {
    context.logger.debug({ err: error }, 'the database does not answer')
    missing.push('database')
  }
  return missing
}
