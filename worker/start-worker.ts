import { Worker, type WorkerOptions } from 'bullmq'
import { PIPELINE } from '#core/pipeline.ts'
import { RETRIES_QUEUE } from '#core/queue/queues.ts'
import { openWorkerConnection, queuePrefix } from '#core/queue/redis.ts'
import type { WorkerContext } from './context.ts'
import { makePartitions } from './housekeeping/make-partitions.ts'
import { reconcileDeliveries } from './housekeeping/reconcile-deliveries.ts'
import { releaseDeliveries } from './housekeeping/release-deliveries.ts'
import { relayEvents } from './housekeeping/relay-events.ts'
import { runEvery } from './housekeeping/run-every.ts'
import { createPlanDeliveries } from './pipeline/1-plan-deliveries.ts'
import { createSendDelivery } from './pipeline/2-send-delivery.ts'
import { createRecordAttempt } from './pipeline/3-record-attempt.ts'
import { repeatDelayMs, runStage, type Stage } from './run-stage.ts'

const PLANS_AT_ONCE = 200

/**
 * Starts the stages and the chores.
 * @returns how to stop them: no new jobs, those in flight finish. It has no limit of its own, see main.ts.
 */
export async function startWorker(context: WorkerContext): Promise<{ stop: () => Promise<void> }> {
  const { config, logger } = context
  // Before the first row is written: one in the default partition keeps its week's own from ever being made.
  await makePartitions(context)
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
  const slots = (queue: string): number =>
    queue === RETRIES_QUEUE ? Math.max(1, Math.floor(concurrency / 2)) : concurrency
  const planDeliveries = createPlanDeliveries(context)
  const workers = [
    ...PIPELINE.planDeliveries.queues.map((queue) => start(queue, planDeliveries, PLANS_AT_ONCE)),
    ...PIPELINE.sendDelivery.queues.map((queue) => start(queue, sendDelivery, slots(queue))),
  ]
  const stopChores = [
    runEvery('relay-events', 1000, logger, () => relayEvents(context)),
    runEvery('reconcile-deliveries', 5000, logger, () => reconcileDeliveries(context)),
    runEvery('release-deliveries', 10_000, logger, () => releaseDeliveries(context)),
    runEvery('make-partitions', 6 * 3600 * 1000, logger, () => makePartitions(context)),
  ]
  await Promise.all(workers.map((worker) => worker.waitUntilReady()))
  return {
    stop: async () => {
      await Promise.all([
        ...workers.map((worker) => worker.close()),
        ...stopChores.map((stopChore) => stopChore()),
      ])
      connection.disconnect()
    },
  }
}
