import type { Queue } from 'bullmq'
import type { RedisConnection } from './redis.ts'

/** Where the job of an event or a delivery ought to be. */
export interface JobPlace {
  queue: Queue
  jobId: string
}

export interface FoundJob extends JobPlace {
  exists: boolean
  /** when a delayed job becomes due, in milliseconds since the epoch by the clock of the worker that delayed it */
  delayedUntil: number | undefined
}

/** BullMQ keeps the due time in the upper bits of a delayed job's score, for an order within a millisecond. */
const SCORES_PER_MS = 4096

/** Looks many jobs up in one round trip. @throws when Redis does not answer */
export async function findJobs(
  connection: RedisConnection,
  places: readonly JobPlace[],
): Promise<FoundJob[]> {
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
  return places.map((place, index) => {
    const score = read(index * 2 + 1)
    return {
      ...place,
      exists: read(index * 2) === 1,
      delayedUntil: typeof score === 'string' ? Math.floor(Number(score) / SCORES_PER_MS) : undefined,
    }
  })
}

/**
 * Removes a job that exists but is in no list that a worker reads: it would block its id for ever.
 * @returns whether there is no job (any more). Reads the list of all that wait, so it is for few at a time.
 */
export async function removeIfDead({ queue, jobId, exists, delayedUntil }: FoundJob): Promise<boolean> {
  if (!exists) return true
  if (delayedUntil !== undefined) return false
  const state = await queue.getJobState(jobId)
  if (state !== 'unknown' && state !== 'completed' && state !== 'failed') return false
  await queue.remove(jobId)
  return true
}
