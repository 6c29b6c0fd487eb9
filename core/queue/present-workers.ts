import type { PresentWorkers } from '#core/contract/operations/waits.ts'
import type { RedisConnection } from './redis.ts'

/** Nobody tells any more: nothing is kept. */
const KEPT_SECONDS = 3600

/** A worker's life, and the deliveries that it may have in flight. */
export interface WorkerLife {
  id: string
  slots: number
}

const keyOf = (prefix: string): string => `${prefix}:workers`
const nowOf = async (connection: RedisConnection): Promise<number> => Number((await connection.time())[0])

/**
 * A worker says that it is there. Who says it no more within `forSeconds` is gone.
 * @param prefix of all keys (queuePrefix); no queue may be called `workers`
 */
export async function tellPresence(
  connection: RedisConnection,
  prefix: string,
  worker: WorkerLife,
  forSeconds: number,
): Promise<void> {
  // By Redis' clock, because those of workers may differ.
  const now = await nowOf(connection)
  await connection
    .pipeline()
    .zadd(keyOf(prefix), now + forSeconds, memberOf(worker))
    .zremrangebyscore(keyOf(prefix), '-inf', now)
    .expire(keyOf(prefix), KEPT_SECONDS)
    .exec()
}

/** The worker ends: it is not counted for the rest of its time. */
export async function forgetPresence(
  connection: RedisConnection,
  prefix: string,
  worker: WorkerLife,
): Promise<void> {
  await connection.zrem(keyOf(prefix), memberOf(worker)).catch(() => undefined)
}

/** @throws when Redis does not answer */
export async function countPresentWorkers(
  connection: RedisConnection,
  prefix: string,
): Promise<PresentWorkers> {
  const members = await connection.zrangebyscore(keyOf(prefix), await nowOf(connection), '+inf')
  const slots = members.map((member) => Number(member.slice(member.indexOf('/') + 1)))
  return { count: members.length, slots: slots.reduce((sum, some) => sum + some, 0) }
}

const memberOf = ({ id, slots }: WorkerLife): string => `${id}/${slots}`
