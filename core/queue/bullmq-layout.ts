import type { Queue } from 'bullmq'
import type { RedisConnection } from './redis.ts'

/**
 * The only file that knows BullMQ's key layout, which BullMQ does not promise. BullMQ's own calls ask for one job or
 * one queue at a time, and the chores look at hundreds. tests/pipeline/queue/bullmq-layout.test.ts compares the layout
 * with what BullMQ reports.
 */

/**
 * A delayed job's score holds its due time in the upper bits, and an order within the millisecond in the lower bits.
 */
const SCORES_PER_MS = 4096

export interface JobLookup {
  exists: boolean
  /** when a delayed job becomes due, in milliseconds since the epoch by the clock of the worker that delayed it */
  delayedUntil: number | undefined
}

/**
 * Looks up many jobs in one round trip, in the order given.
 * @throws when Redis does not answer
 */
export async function lookUpJobs(
  connection: RedisConnection,
  places: readonly { queue: Queue; jobId: string }[],
): Promise<JobLookup[]> {
  const pipeline = connection.pipeline()
  for (const { queue, jobId } of places) {
    pipeline.exists(queue.toKey(jobId))
    pipeline.zscore(queue.toKey('delayed'), jobId)
  }
  const replies = (await pipeline.exec()) ?? []
  const read = (index: number): unknown => {
    const [error, value] = replies[index] ?? [new Error('Redis left a lookup unanswered'), undefined]
    if (error !== null) throw error
    return value
  }
  return places.map((_place, index) => {
    const score = read(index * 2 + 1)
    return {
      exists: read(index * 2) === 1,
      delayedUntil: typeof score === 'string' ? Math.floor(Number(score) / SCORES_PER_MS) : undefined,
    }
  })
}

/**
 * Counts the jobs of a queue that wait, or are delayed until a time before this one.
 * @param prefix of all keys (queuePrefix)
 * @param dueBefore milliseconds since the epoch
 */
export async function countStartable(
  connection: RedisConnection,
  prefix: string,
  queue: string,
  dueBefore: number,
): Promise<number> {
  const key = (part: string): string => `${prefix}:${queue}:${part}`
  const [waiting, prioritized, due] = await Promise.all([
    connection.llen(key('wait')),
    connection.zcard(key('prioritized')),
    connection.zcount(key('delayed'), '-inf', dueBefore * SCORES_PER_MS),
  ])
  return waiting + prioritized + due
}

/** @param prefix of all keys (queuePrefix) */
export async function isQueuePaused(
  connection: RedisConnection,
  prefix: string,
  queue: string,
): Promise<boolean> {
  return (await connection.hexists(`${prefix}:${queue}:meta`, 'paused')) === 1
}

/**
 * Whether one of these queues was ever opened and not removed since. They share a slot.
 * @throws when Redis does not answer
 */
export async function isQueueThere(
  connection: RedisConnection,
  prefix: string,
  queues: readonly string[],
): Promise<boolean> {
  return (await connection.exists(queues.map((queue) => `${prefix}:${queue}:meta`))) > 0
}

/**
 * All of it is one step, so that no job that comes meanwhile is lost: its first addition creates `meta` again. Each
 * addition and each run leaves an entry in `events`, whose id begins with Redis' time.
 */
const REMOVE_UNUSED = `
local base, unusedMs = KEYS[1], tonumber(ARGV[1])
for _, open in ipairs({ 'wait', 'paused', 'prioritized', 'delayed', 'active', 'waiting-children' }) do
  if redis.call('EXISTS', base .. open) == 1 then return 0 end
end
if redis.call('HEXISTS', base .. 'meta', 'paused') == 1 then return 0 end
local last = redis.call('XREVRANGE', base .. 'events', '+', '-', 'COUNT', 1)[1]
if last then
  local now = redis.call('TIME')
  if now[1] * 1000 + now[2] / 1000 - tonumber(string.match(last[1], '^%d+')) < unusedMs then return 0 end
end
for _, ended in ipairs({ 'completed', 'failed' }) do
  for _, id in ipairs(redis.call('ZRANGE', base .. ended, 0, -1)) do
    redis.call('UNLINK', base .. id, base .. id .. ':logs')
  end
end
for _, part in ipairs({ 'meta', 'id', 'events', 'completed', 'failed', 'stalled', 'stalled-check', 'marker', 'pc', 'limiter' }) do
  redis.call('UNLINK', base .. part)
end
return 1`

/**
 * Removes a queue, with the jobs that have ended on it. It stays if it holds a job that has not ended, was used within
 * `unusedMs`, or is paused: later jobs of a paused queue must wait too.
 * @returns whether it is gone
 * @throws when Redis does not answer
 */
export async function removeUnusedQueue(
  connection: RedisConnection,
  prefix: string,
  queue: string,
  unusedMs: number,
): Promise<boolean> {
  return (await connection.eval(REMOVE_UNUSED, 1, `${prefix}:${queue}:`, unusedMs)) === 1
}
