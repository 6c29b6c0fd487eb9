import { ConfigError, loadConfig } from '#core/config/config.ts'
import { armFailpoints } from '#core/failpoints.ts'
import { collectAtRest } from '#core/concurrency/collect-at-rest.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { stopInTime } from '#core/stop-in-time.ts'
import { prepareStart } from '#core/prepare-start.ts'
import { openTracing } from '#core/telemetry/open-tracing.ts'
import { createContext } from './context.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { startWorker } from './start-worker.ts'

/** Limit for the whole stop. After it the process ends, and the leases decide who may continue. */
const STOP_LIMIT_MS = 35_000
/** The rest of that limit after the longest exchange. */
const REST_MS = 5_000

async function main(): Promise<void> {
  const config = loadConfig(process.env)
  armFailpoints(config.failpoints)
  const tracing = await openTracing(config, 'leadwire-worker')
  const logger = createLogger('worker', config.logLevel, tracing)
  const keyring = await prepareStart(config)
  const { context, close } = createContext(config, keyring, logger, tracing)
  const worker = await startWorker(context, () => process.exit(1))
  const { metricsPort } = config.http
  const metrics = metricsPort === undefined ? undefined : await serveMetrics(context, metricsPort)

  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'worker stops: what is in flight finishes')
    const status = await stopInTime({ name: 'worker', limitMs: STOP_LIMIT_MS, logger }, async (waitFor) => {
      const { timeoutMs } = config.webhooks
      await worker.stop(waitFor, Math.min(timeoutMs, STOP_LIMIT_MS - timeoutMs - REST_MS))
      if (metrics !== undefined) await waitFor('metrics', metrics.close)
      await close(waitFor)
      await waitFor('traces', tracing.close)
    })
    process.exit(status)
  }
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))
  collectAtRest()
  // This line comes last: a program that reads it may stop us at once.
  logger.info(
    { ...config.build, concurrency: config.webhooks.concurrency, metrics_port: metrics?.port },
    'worker ready',
  )
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
  else createLogger('worker', 'error').fatal({ err: error }, 'worker could not start')
  process.exit(1)
})
