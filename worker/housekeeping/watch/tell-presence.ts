import { randomUUID } from 'node:crypto'
import { countPresentWorkers, forgetPresence, tellPresence as tell } from '#core/queue/present-workers.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import type { WorkerContext } from '#worker/context.ts'
import type { Dispatcher } from '../../dispatch/open-dispatcher.ts'

/** A worker that missed this many of its runs counts as gone, but not before the limit below. */
const MISSED_RUNS = 5
const LEAST_SECONDS = 10

/**
 * Tells the administrators' page that this worker runs and how many requests it may have in flight, and tells this
 * worker how many workers there are. While Redis does not answer, the last number counts.
 */
export function createTellPresence(
  { config, redis }: Pick<WorkerContext, 'config' | 'redis'>,
  dispatcher: Pick<Dispatcher, 'setWorkerCount'>,
): {
  tellPresence: () => Promise<void>
  /**
   * Announces that this worker is about to stop: the others no longer count it, and it learns at once how many there
   * are.
   */
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
