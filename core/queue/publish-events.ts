import type { Config } from '../config.ts'
import { deliverableEventSchema } from '../contract/events.ts'
import type { Db } from '../data/database.ts'
import { markEnqueued, type EventToEnqueue } from '../data/events.ts'
import type { Logger } from '../logger.ts'
import { openProducerQueue } from './open-queue.ts'
import { EVENT_JOB_NAMES, LEAD_EVENTS_QUEUE, eventJobId, type EventJob } from './queues.ts'
import { openProducerConnection } from './redis.ts'

/** How long the API waits for Redis before it leaves an event to the relay. */
const PUBLISH_LIMIT_MS = 1500
/** Well before the relay looks for unmarked events (2 s), and after most are planned, which marks them as well. */
const MARK_AFTER_MS = 500

/** The way from the outbox to Redis, for the API (right after its commit) and for the relay. */
export interface EventPublisher {
  /**
   * Enqueues events and marks them, unless told otherwise a little later and together. Resolves false when Redis did not
   * take them in time: nothing is lost, the relay finds them by `enqueued_at is null`. Never throws.
   */
  publish: (events: readonly EventToEnqueue[], mark?: 'soon' | 'now') => Promise<boolean>
  /** Is Redis reachable now? Used by /readyz. */
  isReady: () => boolean
  close: () => Promise<void>
}

/** Opens the producer's own connection and queue. Works, and says so, while Redis is away. */
export function openEventPublisher(context: { config: Config; db: Db; logger: Logger }): EventPublisher {
  const { config, db, logger } = context
  const connection = openProducerConnection(config.redis)
  let wasReady = true
  const noteError = (error: Error): void => {
    if (wasReady) logger.warn({ err: error }, 'redis connection failed; events wait in the outbox')
    wasReady = false
  }
  connection.on('error', noteError)
  connection.on('ready', () => {
    wasReady = true
  })
  const queue = openProducerQueue<EventJob>({ config, connection, onError: noteError }, LEAD_EVENTS_QUEUE, {
    attempts: 1_000_000,
    backoff: { type: 'custom' },
    removeOnComplete: { age: 3600, count: 1000 },
    removeOnFail: { age: 7 * 24 * 3600, count: 10_000 },
  })

  const unmarked: string[] = []
  let timer: NodeJS.Timeout | undefined
  let marking = Promise.resolve()

  function mark(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    marking = marking.then(markAll)
    return marking
  }

  async function markAll(): Promise<void> {
    const ids = unmarked.splice(0)
    try {
      await markEnqueued(db, ids)
    } catch (error) {
      // An unmarked event is enqueued again under the same job id.
      logger.warn({ err: error, count: ids.length }, 'events enqueued but not marked; the relay repeats them')
    }
  }

  async function add(events: readonly EventToEnqueue[]): Promise<void> {
    const jobs = events.map((event) => ({
      name: EVENT_JOB_NAMES[deliverableEventSchema.parse(event.type)],
      data: { event_id: event.id },
      opts: { jobId: eventJobId(event.id) },
    }))
    await withLimit(queue.get().then((ready) => ready.addBulk(jobs)))
  }

  return {
    publish: async (events, when = 'soon') => {
      if (events.length === 0) return true
      if (connection.status !== 'ready') return false
      try {
        await add(events)
      } catch (error) {
        logger.warn({ err: error, count: events.length }, 'events not enqueued; the relay will')
        return false
      }
      unmarked.push(...events.map(({ id }) => id))
      if (when === 'now') await mark()
      else timer ??= setTimeout(() => void mark(), MARK_AFTER_MS)
      return true
    },
    isReady: () => connection.status === 'ready',
    close: async () => {
      await mark()
      await queue.close()
      connection.disconnect()
    },
  }
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
