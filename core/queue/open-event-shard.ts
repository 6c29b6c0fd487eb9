import type { Queue } from 'bullmq'
import type { Config } from '../config/config.ts'
import type { EventToEnqueue } from '../data/outbox/events.ts'
import { failpoint } from '../failpoints.ts'
import { findJobs, removeIfDead } from './find-jobs.ts'
import { describeEventJob, type Pile } from './gather-events.ts'
import { openProducerQueue } from './open-queue.ts'
import {
  EVENT_BURSTS_QUEUE,
  LEAD_EVENTS_QUEUE,
  LEAD_MARKET_QUEUE,
  eventJobId,
  type EventJob,
} from './queues.ts'
import type { RedisConnection } from './redis.ts'
import { createRest } from './rest-after-failure.ts'
import { queueInShard } from './shards.ts'

/** Milliseconds for which the API waits for Redis before it leaves an event to the relay. */
const PUBLISH_LIMIT_MS = 1500

/** The queues of events in one shard. In a cluster its master may be away while the others answer. */
export interface EventShard {
  /** Whether it failed a short time ago, so that it is not asked now. */
  isResting: () => boolean
  /** @throws when Redis does not take them in time */
  add: (piles: readonly Pile[], trace: string | undefined) => Promise<void>
  /**
   * @returns the ids of events without a job of their own here; for a suspect, also if its job is in no list that a
   * worker reads
   * @throws when Redis does not answer
   */
  findMissing: (asked: readonly { event: EventToEnqueue; isSuspect: boolean }[]) => Promise<string[]>
  close: () => Promise<void>
}

export function openEventShard(
  context: { config: Config; connection: RedisConnection; onError: (error: Error) => void },
  shard: number,
): EventShard {
  const rest = createRest()
  const open = (name: string) =>
    openProducerQueue<EventJob>(context, queueInShard(name, shard), {
      // An event's own failures are counted in PostgreSQL; these repeats are for failures that are not the event's.
      attempts: 1_000_000,
      backoff: { type: 'custom' },
      removeOnComplete: { age: 3600, count: 1000 },
      removeOnFail: { age: 7 * 24 * 3600, count: 10_000 },
    })
  const queues = new Map(
    [LEAD_EVENTS_QUEUE, EVENT_BURSTS_QUEUE, LEAD_MARKET_QUEUE].map((name) => [name, open(name)]),
  )

  return {
    isResting: rest.isResting,
    add: async (piles, trace) => {
      try {
        for (const [name, queue] of queues) {
          const jobs = piles
            .filter((pile) => pile.queue === name)
            .map((pile) => describeEventJob(pile, trace))
          if (jobs.length === 0) continue
          await withLimit(queue.get().then((ready) => addJobs(ready, jobs)))
          await failpoint('after-enqueue')
        }
      } catch (error) {
        rest.begin()
        throw error
      }
    },
    findMissing: async (asked) => {
      const found = new Set<string>()
      // An event's priority is not stored: its job may be on either queue.
      for (const queue of queues.values()) {
        const ready = await queue.get()
        const places = asked.map(({ event }) => ({ queue: ready, jobId: eventJobId(event.id) }))
        const jobs = await findJobs(context.connection, places)
        await Promise.all(
          asked.map(async ({ event, isSuspect }, index) => {
            const job = jobs[index]
            if (job !== undefined && (isSuspect ? !(await removeIfDead(job)) : job.exists))
              found.add(event.id)
          }),
        )
      }
      return asked.map(({ event }) => event.id).filter((id) => !found.has(id))
    },
    close: async () => {
      await Promise.all([...queues.values()].map((queue) => queue.close()))
    },
  }
}

/** Most leads come alone, and one script costs half as much as a pipeline with one command. */
async function addJobs(queue: Queue<EventJob>, jobs: ReturnType<typeof describeEventJob>[]): Promise<void> {
  const [first, ...others] = jobs
  if (first !== undefined && others.length === 0) await queue.add(first.name, first.data, first.opts)
  else await queue.addBulk(jobs)
}

async function withLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`Redis did not answer within ${PUBLISH_LIMIT_MS} ms`))
    }, PUBLISH_LIMIT_MS)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
