import { ConfigError, loadConfig } from '#core/config/config.ts'
import { armFailpoints } from '#core/failpoints.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { checkSecretsKey, loadSecretsKey } from '#core/secrets/secrets-key.ts'
import { openTracing } from '#core/telemetry/open-tracing.ts'
import { createContext } from './context.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { startWorker } from './start-worker.ts'

/** Jobs in flight get this long to finish; then the process ends, and the leases say who may go on. */
const DRAIN_LIMIT_MS = 20_000

async function main(): Promise<void> {
  const config = loadConfig(process.env)
  armFailpoints(config.failpoints)
  const logger = createLogger('worker', config.logLevel)
  const secretsKey = loadSecretsKey(config)
  const tracing = await openTracing(config, 'leadwire-worker')
  const { context, close } = createContext(config, secretsKey, logger, tracing)
  await checkSecretsKey(context.db, secretsKey)
  const worker = await startWorker(context, () => process.exit(1))
  const { metricsPort } = config.http
  const metrics = metricsPort === undefined ? undefined : await serveMetrics(context, metricsPort)
  logger.info({ concurrency: config.webhooks.concurrency, metrics_port: metrics?.port }, 'worker ready')

  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'worker stops: no new jobs, those in flight finish')
    // Worker.close() has no limit of its own and hangs while Redis is away.
    const limit = setTimeout(() => {
      logger.warn('worker did not drain in time; its leases will expire')
      process.exit(1)
    }, DRAIN_LIMIT_MS)
    await worker.stop()
    await metrics?.close()
    await close()
    await tracing.close()
    clearTimeout(limit)
    logger.info('worker stopped')
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
  else createLogger('worker', 'error').fatal({ err: error }, 'worker could not start')
  process.exit(1)
})
