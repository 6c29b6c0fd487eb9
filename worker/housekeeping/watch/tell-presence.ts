import { randomUUID } from 'node:crypto'
import { countPresentWorkers, forgetPresence, tellPresence as tell } from '#core/queue/present-workers.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import type { WorkerContext } from '#worker/context.ts'
import type { Dispatcher } from '../../dispatch/open-dispatcher.ts'

/** A worker that misses so many of its own runs is taken for gone, but none sooner than that. */
const MISSED_RUNS = 5
const LEAST_SECONDS = 10

/**
 * Lets the administrators' page know that a worker runs, and how much it may carry at once; and this one, how many there are. While
 * Redis does not say, they are as many as they were.
 */
export function createTellPresence(
  { config, redis }: Pick<WorkerContext, 'config' | 'redis'>,
  dispatcher: Pick<Dispatcher, 'setWorkerCount'>,
): {
  tellPresence: () => Promise<void>
  /** It is about to stop: others count on it no more, and it learns at once how many there are. */
  leave: () => Promise<void>
  stop: () => Promise<void>
} {
  const prefix = queuePrefix(config.redis)
  const forSeconds = Math.max(
    LEAST_SECONDS,
    Math.ceil((MISSED_RUNS * config.housekeeping.tellPresenceMs) / 1000),
  )
  let isLeaving = false
  const me = { id: randomUUID(), slots: config.webhooks.concurrency }
  return {
    tellPresence: async () => {
      if (redis.status !== 'ready' || isLeaving) return
      await tell(redis, prefix, me, forSeconds)
      const { count } = await countPresentWorkers(redis, prefix)
      dispatcher.setWorkerCount(count)
    },
    leave: async () => {
      isLeaving = true
      if (redis.status !== 'ready') return
      await forgetPresence(redis, prefix, me)
      const others = await countPresentWorkers(redis, prefix).catch(() => undefined)
      if (others !== undefined) dispatcher.setWorkerCount(others.count + 1)
    },
    stop: () => forgetPresence(redis, prefix, me),
  }
}
