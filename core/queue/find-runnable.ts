import { countStartable, isQueuePaused } from './bullmq-layout.ts'
import { DELIVERIES_QUEUE } from './queues.ts'
import { prefixOfQueue, type KeyNaming, type RedisConnection } from './redis.ts'

/** The next worker that looks promotes a delayed job; after this time one certainly has. */
const PROMOTED_AFTER_MS = 5000

/**
 * Finds the queues that hold a job that a worker could start now: waiting, or delayed until a time that is past by
 * Redis' own clock. A paused queue holds none.
 * @throws when Redis does not answer
 */
export async function findRunnable(
  connection: RedisConnection,
  naming: KeyNaming,
  queues: readonly string[],
): Promise<Set<string>> {
  const [seconds] = await connection.time()
  const longDue = Number(seconds) * 1000 - PROMOTED_AFTER_MS
  const found = await Promise.all(
    queues.map(async (queue) => {
      const prefix = prefixOfQueue(naming, queue)
      const [isPaused, startable] = await Promise.all([
        isQueuePaused(connection, prefix, queue),
        countStartable(connection, prefix, queue, longDue),
      ])
      return !isPaused && startable > 0
    }),
  )
  return new Set(queues.filter((_queue, index) => found[index] === true))
}

/**
 * Finds the queues that an administrator paused: no worker starts their jobs.
 * @throws when Redis does not answer
 */
export async function findPaused(
  connection: RedisConnection,
  naming: KeyNaming,
  queues: readonly string[],
): Promise<Set<string>> {
  const paused = await Promise.all(
    queues.map((queue) => isQueuePaused(connection, prefixOfQueue(naming, queue), queue)),
  )
  return new Set(queues.filter((_queue, index) => paused[index] === true))
}

/**
 * Whether an administrator stopped deliveries. The queue of their wake-ups in the first shard decides for all shards.
 * @throws when Redis does not answer
 */
export async function isSendingPaused(connection: RedisConnection, naming: KeyNaming): Promise<boolean> {
  return await isQueuePaused(connection, prefixOfQueue(naming, DELIVERIES_QUEUE), DELIVERIES_QUEUE)
}
