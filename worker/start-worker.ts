import { ConfigError } from '#core/config/config.ts'
import { checkRedis } from '#core/queue/check-redis.ts'
import { listShards } from '#core/queue/shards.ts'
import { waitPlainly, type WaitFor } from '#core/stop-in-time.ts'
import { openAlone } from './alone/open-alone.ts'
import type { WorkerContext } from './context.ts'
import { watchEndpoints } from './housekeeping/endpoints/watch-endpoints.ts'
import { makePartitions } from './housekeeping/retention/make-partitions.ts'
import { startChores } from './housekeeping/start-chores.ts'
import { openStages } from './pipeline/open-stages.ts'
import { connectWorkers, openQueueWorkers } from './queues/queue-workers.ts'

/** The bundle lies in another folder of the same depth, so this path holds there too. */
const ALONE_PROGRAM = new URL('../worker/alone/alone-process.ts', import.meta.url)

/**
 * Starts the stages and the chores.
 * @param giveUp ends a process that no longer works, so that its supervisor starts another
 * @returns `stop`: takes no new jobs and finishes those in flight, without a time limit (main.ts). With `outlastMs` it
 * first lets the worker serve other endpoints for so long, while an endpoint is silent and no other worker is there
 */
export async function startWorker(
  context: WorkerContext,
  giveUp: () => void,
): Promise<{ stop: (waitFor?: WaitFor, outlastMs?: number) => Promise<void> }> {
  const { logger } = context
  // The partition is made before the first row is written. If that fails now, the chore moves the row later.
  await makePartitions(context).catch((error: unknown) => {
    logger.warn({ err: error }, "the log's weeks could not be made yet")
  })
  await context.market.refreshRules()
  const connection = connectWorkers(context)
  const { faults, doubts } = await checkRedis(connection)
  for (const doubt of doubts) logger.warn(doubt)
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `REDIS_URL: ${fault}`))
  const { assign, ordersOf, dispatcher, waitForSilentEndpoints } = openStages(context)
  const orders = listShards(context.config.redis.shards).flatMap(ordersOf)
  const workers = openQueueWorkers(context, orders, connection)
  const alone = openAlone(context, ALONE_PROGRAM)
  const chores = startChores(context, { workers, dispatcher, alone, ordersOf, assign }, giveUp)
  await workers.waitUntilReady()
  return {
    stop: async (waitFor = waitPlainly, outlastMs = 0) => {
      if (outlastMs > 0)
        await waitFor('silent endpoints', () => waitForSilentEndpoints(outlastMs, chores.leave))
      await Promise.all([
        waitFor('jobs in flight', () => workers.stop()),
        waitFor('deliveries in flight', () => dispatcher.stop()),
        waitFor('deliveries that are sent alone', () => alone.stop()),
        waitFor('chores', chores.stop),
      ])
      await waitFor('the last outcomes', () =>
        watchEndpoints(context).catch((error: unknown) => {
          logger.warn({ err: error }, 'the last outcomes were not counted')
        }),
      )
    },
  }
}
