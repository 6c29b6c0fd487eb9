import type { PresentWorkers } from '#core/contract/operations/waits.ts'
import type { RedisConnection } from './redis.ts'

/** Seconds after which everything is removed if no worker reports any more. */
const KEPT_SECONDS = 3600

/** One run of a worker, and the number of deliveries that it may have in flight. */
export interface WorkerLife {
  id: string
  slots: number
}

/** Marks a worker that sends events beside the lead. Workers without it are of a version before them. */
const SENDS_EVENTS = 'events~'

const keyOf = (prefix: string): string => `${prefix}:workers`
const nowOf = async (connection: RedisConnection): Promise<number> => Number((await connection.time())[0])

/**
 * Reports that a worker is present. A worker that does not report again within `forSeconds` counts as gone.
 * @param prefix of all keys (queuePrefix); no queue may be called `workers`
 */
export async function tellPresence(
  connection: RedisConnection,
  prefix: string,
  worker: WorkerLife,
  forSeconds: number,
): Promise<void> {
  // Redis' clock is used, because the workers' clocks may differ.
  const now = await nowOf(connection)
  await connection
    .pipeline()
    .zadd(keyOf(prefix), now + forSeconds, memberOf(worker))
    .zremrangebyscore(keyOf(prefix), '-inf', now)
    .expire(keyOf(prefix), KEPT_SECONDS)
    .exec()
}

/** The worker ends: from now on it is not counted. */
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

/**
 * Whether a worker runs that would claim an event beside the lead and give it up, because it knows none.
 * @throws when Redis does not answer
 */
export async function hasOlderWorkers(connection: RedisConnection, prefix: string): Promise<boolean> {
  const members = await connection.zrangebyscore(keyOf(prefix), await nowOf(connection), '+inf')
  return members.some((member) => !member.startsWith(SENDS_EVENTS))
}

const memberOf = ({ id, slots }: WorkerLife): string => `${SENDS_EVENTS}${id}/${slots}`
