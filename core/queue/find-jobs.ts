import type { Queue } from 'bullmq'
import { lookUpJobs, type JobLookup } from './bullmq-layout.ts'
import type { RedisConnection } from './redis.ts'

/** The queue in which an event's or a delivery's job should be, and its id there. */
export interface JobPlace {
  queue: Queue
  jobId: string
}

export type FoundJob = JobPlace & JobLookup

/**
 * Looks up many jobs in one round trip.
 * @throws when Redis does not answer
 */
export async function findJobs(
  connection: RedisConnection,
  places: readonly JobPlace[],
): Promise<FoundJob[]> {
  const found = await lookUpJobs(connection, places)
  return places.map((place, index) => ({
    ...place,
    ...(found[index] ?? { exists: false, delayedUntil: undefined }),
  }))
}

/**
 * Removes a job that exists but is in no list that a worker reads: it would block its id for ever. It reads the list of
 * all waiting jobs, so it is for few jobs at a time.
 * @returns whether there is no job (any more)
 */
export async function removeIfDead({ queue, jobId, exists, delayedUntil }: FoundJob): Promise<boolean> {
  if (!exists) return true
  if (delayedUntil !== undefined) return false
  const state = await queue.getJobState(jobId)
  if (state !== 'unknown' && state !== 'completed' && state !== 'failed') return false
  await queue.remove(jobId)
  return true
}
