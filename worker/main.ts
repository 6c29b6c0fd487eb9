import { Worker, type WorkerOptions } from 'bullmq'
import { ConfigError, loadConfig } from '#core/config.ts'
import { createLogger } from '#core/logger.ts'
import { DELIVERIES_QUEUE, LEAD_EVENTS_QUEUE, RETRIES_QUEUE } from '#core/queue/queues.ts'
import { openWorkerConnection, queuePrefix } from '#core/queue/redis.ts'
import { checkSecretsKey, loadSecretsKey } from '#core/secrets-key.ts'
import { createContext } from './context.ts'
import { makePartitions } from './housekeeping/make-partitions.ts'
import { reconcileDeliveries } from './housekeeping/reconcile-deliveries.ts'
import { relayEvents } from './housekeeping/relay-events.ts'
import { runEvery } from './housekeeping/run-every.ts'
import { createPlanDeliveries } from './pipeline/1-plan-deliveries.ts'
import { createSendDelivery } from './pipeline/2-send-delivery.ts'
import { createRecordAttempt } from './pipeline/3-record-attempt.ts'
import { repeatDelayMs, runStage, type Stage } from './run-stage.ts'

/** Jobs in flight get this long to finish; then the process ends, and the leases say who may go on. */
const DRAIN_LIMIT_MS = 20_000
const PLANS_AT_ONCE = 200

async function main(): Promise<void> {
  const config = loadConfig(process.env)
  const logger = createLogger('worker', config.logLevel)
  const secretsKey = loadSecretsKey(config)
  const { context, close } = createContext(config, secretsKey, logger)
  await checkSecretsKey(context.db, secretsKey)

  const connection = openWorkerConnection(config.redis)
  connection.on('error', (error: Error) => {
    logger.debug({ err: error }, 'redis connection failed')
  })
  const options = (concurrency: number): WorkerOptions => ({
    connection,
    prefix: queuePrefix(config.redis),
    concurrency,
    // A killed worker's jobs run again after at most lock + 2 × check; the lock is renewed while a job runs.
    lockDuration: 15_000,
    stalledInterval: 5000,
    // A stall is never the delivery's fault: attempts are counted in PostgreSQL.
    maxStalledCount: 10_000,
    settings: { backoffStrategy: repeatDelayMs },
  })
  const start = (queue: string, stage: Stage, concurrency: number): Worker => {
    const worker = new Worker(queue, runStage(stage, logger), options(concurrency))
    worker.on('error', (error) => {
      logger.warn({ err: error, queue }, 'a queue worker met an error')
    })
    return worker
  }
  const sendDelivery = createSendDelivery(context, createRecordAttempt(context))
  const { concurrency } = config.webhooks
  const workers = [
    start(LEAD_EVENTS_QUEUE, createPlanDeliveries(context), PLANS_AT_ONCE),
    start(DELIVERIES_QUEUE, sendDelivery, concurrency),
    start(RETRIES_QUEUE, sendDelivery, Math.max(1, Math.floor(concurrency / 2))),
  ]
  const chores = [
    runEvery('relay-events', 1000, logger, () => relayEvents(context)),
    runEvery('reconcile-deliveries', 5000, logger, () => reconcileDeliveries(context)),
    runEvery('make-partitions', 6 * 3600 * 1000, logger, () => makePartitions(context)),
  ]
  await Promise.all(workers.map((worker) => worker.waitUntilReady()))
  logger.info({ concurrency }, 'worker ready')

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
    await Promise.all([...workers.map((worker) => worker.close()), ...chores.map((stopChore) => stopChore())])
    await close()
    connection.disconnect()
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
