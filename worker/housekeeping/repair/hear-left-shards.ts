import { PIPELINE } from '#core/pipeline.ts'
import { isQueueThere, removeUnusedQueue } from '#core/queue/bullmq-layout.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { listShards, MOST_SHARDS, spreadQueues } from '#core/queue/shards.ts'
import type { WorkerContext } from '#worker/context.ts'
import {
  connectWorkers,
  openQueueWorkers,
  type QueueOrder,
  type QueueWorkers,
} from '#worker/queues/queue-workers.ts'

/** A process that still runs with another QUEUE_SHARDS enqueues something within this time. */
const UNUSED_MS = 10 * 60 * 1000

/**
 * Finds shards with jobs beyond this process's QUEUE_SHARDS: the number was larger before, or is larger in another
 * process. Their jobs are taken too, so QUEUE_SHARDS may change at any time. A shard without jobs that nobody has used
 * for a while is removed, and found again when it is used again.
 * @param unusedMs milliseconds without use after which it is removed
 */
export function createHearLeftShards(
  context: Pick<WorkerContext, 'config' | 'logger' | 'redis'>,
  ordersOf: (shard: number) => QueueOrder[],
  unusedMs = UNUSED_MS,
): { hearLeftShards: () => Promise<void>; stop: () => Promise<void> } {
  const { config, logger, redis } = context
  const heard = new Map<number, QueueWorkers>()
  const others = listShards(MOST_SHARDS)
    .slice(config.redis.shards)
    .map((shard) => ({
      shard,
      prefix: queuePrefix(config.redis, shard),
      queues: spreadQueues(
        Object.values(PIPELINE).flatMap((stage): readonly string[] => stage.queues),
        [shard],
      ),
    }))

  async function follow({ shard, prefix, queues }: (typeof others)[number]): Promise<void> {
    if (!(await isQueueThere(redis, prefix, queues))) {
      const workers = heard.get(shard)
      heard.delete(shard)
      await workers?.stop()
      return
    }
    if (!heard.has(shard)) {
      heard.set(shard, openQueueWorkers(context, ordersOf(shard), connectWorkers(context)))
      logger.info({ shard }, 'jobs of a shard that QUEUE_SHARDS does not name are taken as well')
    }
    for (const queue of queues) await removeUnusedQueue(redis, prefix, queue, unusedMs)
  }

  return {
    hearLeftShards: async () => {
      if (redis.status !== 'ready') return
      const followed = await Promise.allSettled(others.map(follow))
      const failed = followed.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    },
    stop: async () => {
      await Promise.all([...heard.values()].map((workers) => workers.stop()))
    },
  }
}
