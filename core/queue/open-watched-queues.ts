import type { JobType, Queue } from 'bullmq'
import type { Config } from '../config/config.ts'
import { PIPELINE } from '../pipeline.ts'
import { openProducerQueue } from './open-queue.ts'
import type { RedisConnection } from './redis.ts'
import { listShards, spreadQueues } from './shards.ts'

/** States of jobs that exist here; BullMQ has more, for features that are not used. */
export const JOB_STATES = [
  'waiting',
  'prioritized',
  'active',
  'delayed',
  'failed',
] as const satisfies readonly JobType[]
export type JobState = (typeof JOB_STATES)[number]

/** Every queue of the pipeline in every shard, for reading only. */
export interface WatchedQueues {
  /** @throws while Redis is away */
  get: () => Promise<Queue[]>
  /**
   * Counts the jobs of each queue in each state, without queues whose master in a cluster is away.
   * @throws while Redis is away
   */
  count: () => Promise<Array<{ queue: string; counts: Record<JobState, number> }>>
  close: () => Promise<void>
}

/** @param connection a producer's connection (core/queue/redis.ts), closed by its owner */
export function openWatchedQueues(context: {
  config: Config
  connection: RedisConnection
  onError: (error: Error) => void
}): WatchedQueues {
  const names = spreadQueues(
    Object.values(PIPELINE).flatMap((stage): readonly string[] => stage.queues),
    listShards(context.config.redis.shards),
  )
  const queues = names.map((name) => openProducerQueue<unknown>(context, name))
  const get = (): Promise<Queue[]> => Promise.all(queues.map((queue) => queue.get()))
  return {
    get,
    count: async () => {
      const asked = await Promise.allSettled(
        queues.map(async (opened) => {
          const queue = await opened.get()
          const counts = await queue.getJobCounts(...JOB_STATES)
          const entries = JOB_STATES.map((state) => [state, counts[state] ?? 0])
          return { queue: queue.name, counts: Object.fromEntries(entries) as Record<JobState, number> }
        }),
      )
      const counted = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
      const failed = asked.find((answer) => answer.status === 'rejected')
      if (counted.length === 0 && failed !== undefined) throw failed.reason
      return counted
    },
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close()))
    },
  }
}
