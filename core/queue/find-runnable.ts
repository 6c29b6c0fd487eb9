import { countStartable, isQueuePaused } from './bullmq-layout.ts'
import { DELIVERIES_QUEUE } from './queues.ts'
import { prefixOfQueue, type KeyNaming, type RedisConnection } from './redis.ts'

/** A delayed job is promoted by whichever worker looks next; by then one certainly has. */
const PROMOTED_AFTER_MS = 5000

/**
 * Which queues hold a job that a worker could start now: waiting, or delayed until a time that is past by Redis' own clock.
 * A queue that an administrator paused holds none.
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

/** Which queues an administrator paused: nobody is to start what they hold. @throws when Redis does not answer */
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
 * Whether an administrator stopped deliveries: the queue of their wake-ups stands for them, and that of the first shard for all
 * shards. @throws when Redis does not answer
 */
export async function isSendingPaused(connection: RedisConnection, naming: KeyNaming): Promise<boolean> {
  return await isQueuePaused(connection, prefixOfQueue(naming, DELIVERIES_QUEUE), DELIVERIES_QUEUE)
}
