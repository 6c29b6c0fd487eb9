import { ConfigError } from '#core/config/config.ts'
import { checkRedis } from '#core/queue/check-redis.ts'
import { listShards } from '#core/queue/shards.ts'
import { waitPlainly, type WaitFor } from '#core/stop-in-time.ts'
import type { WorkerContext } from './context.ts'
import { watchEndpoints } from './housekeeping/endpoints/watch-endpoints.ts'
import { makePartitions } from './housekeeping/retention/make-partitions.ts'
import { startChores } from './housekeeping/start-chores.ts'
import { openStages } from './pipeline/open-stages.ts'
import { connectWorkers, openQueueWorkers } from './queues/queue-workers.ts'

/**
 * Starts the stages and the chores.
 * @param giveUp ends a process that no longer works, so that its supervisor starts another
 * @returns how to stop them: what is in flight finishes, and nothing is begun any more, but while an endpoint is silent. It has no limit of its own, see main.ts.
 */
export async function startWorker(
  context: WorkerContext,
  giveUp: () => void,
): Promise<{ stop: (waitFor?: WaitFor) => Promise<void> }> {
  const { logger } = context
  // Before the first row is written, so that it finds its week. Where it cannot be made now, the chore moves the row later.
  await makePartitions(context).catch((error: unknown) => {
    logger.warn({ err: error }, "the log's weeks could not be made yet")
  })
  const connection = connectWorkers(context)
  const { faults, doubts } = await checkRedis(connection)
  for (const doubt of doubts) logger.warn(doubt)
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `REDIS_URL: ${fault}`))
  const { assign, ordersOf, rounds } = openStages(context)
  const orders = listShards(context.config.redis.shards).flatMap(ordersOf)
  const workers = openQueueWorkers(context, orders, connection)
  const stopChores = startChores(context, { workers, rounds, ordersOf, assign }, giveUp)
  await workers.waitUntilReady()
  return {
    stop: async (waitFor = waitPlainly) => {
      await waitFor('silent endpoints', () => rounds.outlastSilent())
      await Promise.all([
        waitFor('jobs in flight', () => workers.stop()),
        waitFor('deliveries in flight', () => rounds.stop()),
        waitFor('chores', () => stopChores()),
      ])
      await waitFor('the last outcomes', () =>
        watchEndpoints(context).catch((error: unknown) => {
          logger.warn({ err: error }, 'the last outcomes were not counted')
        }),
      )
    },
  }
}
