import type { Config } from '../config/config.ts'
import type { Db } from '../data/database.ts'
import { markEnqueued, type EventToEnqueue } from '../data/outbox/events.ts'
import { failpoint } from '../failpoints.ts'
import type { Logger } from '../telemetry/logger.ts'
import { NO_TRACING, type Tracing } from '../telemetry/tracing.ts'
import { findJobs, removeIfDead } from './find-jobs.ts'
import { openProducerQueue } from './open-queue.ts'
import { consumerOf } from './event-consumers.ts'
import { describeEventJob, gatherEvents, type Consumed } from './gather-events.ts'
import { EVENT_BURSTS_QUEUE, EVENTS_PER_JOB, LEAD_EVENTS_QUEUE, eventJobId, type EventJob } from './queues.ts'
import { openProducerConnection } from './redis.ts'
import { createRest } from './rest-after-failure.ts'
import { createTurns } from '../fairness/turns.ts'

/** How long the API waits for Redis before it leaves an event to the relay. */
const PUBLISH_LIMIT_MS = 1500
/** Well before the relay looks for unmarked events (2 s), and after most are planned, which marks them as well. */
const MARK_AFTER_MS = 500
/** Of so many that are late, the rest is a backlog: it costs less in jobs of many, and no older worker is likely to be its reason. */
const BACKLOG = 200

interface PublishOptions {
  mark?: 'soon' | 'now'
  sender?: string | undefined
  apart?: boolean
}

/** The way from the outbox to Redis, for the API (right after its commit) and for the relay. */
export interface EventPublisher {
  /**
   * Enqueues events, several in one job. One that nobody here consumes (event-consumers.ts) is left as it is. Resolves false when
   * Redis did not take them in time: nothing is lost, the relay finds them by `enqueued_at is null`. Never throws.
   * @param options.mark `now`: all of them before this resolves; else the first of each job, a little later and together. The others
   *   are marked when they are planned, so that the relay finds them where a job is taken by a version that knows nothing of them
   * @param options.apart each in a job of its own
   * @param options.sender whoever brought them; what he brings beyond his measure gives way (core/fairness/turns.ts)
   */
  publish: (events: readonly EventToEnqueue[], options?: PublishOptions) => Promise<boolean>
  /**
   * Re-adds those that have no job of their own, as they have not when they came with others: each in one of its own, which every
   * version understands and which is not added again while it is there; where they are hundreds, several in one. Of the
   * first `suspects`, also those whose job exists but is in no list that a worker reads: finished, or orphaned. Answers how many
   * were re-added. @throws when Redis does not answer
   */
  restore: (events: readonly EventToEnqueue[], suspects: number) => Promise<number>
  /** Is Redis reachable now? Used by /readyz. */
  isReady: () => boolean
  close: () => Promise<void>
}

/** Opens the producer's own connection and queue. Works, and says so, while Redis is away. */
export function openEventPublisher(context: {
  config: Config
  db: Db
  logger: Logger
  tracing?: Tracing
}): EventPublisher {
  const { config, db, logger, tracing = NO_TRACING } = context
  const connection = openProducerConnection(config.redis)
  const rest = createRest()
  let wasReady = true
  const noteError = (error: Error): void => {
    if (wasReady) logger.warn({ err: error }, 'redis connection failed; events wait in the outbox')
    wasReady = false
  }
  connection.on('error', noteError)
  connection.on('ready', () => {
    wasReady = true
  })
  const open = (name: string) =>
    openProducerQueue<EventJob>({ config, connection, onError: noteError }, name, {
      // An event's own failures are counted in PostgreSQL; these are repeats of what is no event's fault.
      attempts: 1_000_000,
      backoff: { type: 'custom' },
      removeOnComplete: { age: 3600, count: 1000 },
      removeOnFail: { age: 7 * 24 * 3600, count: 10_000 },
    })
  const queues = new Map([LEAD_EVENTS_QUEUE, EVENT_BURSTS_QUEUE].map((name) => [name, open(name)]))

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
      await failpoint('before-mark')
      await markEnqueued(db, ids)
    } catch (error) {
      // An unmarked event is enqueued again under the same job id.
      logger.warn({ err: error, count: ids.length }, 'events enqueued but not marked; the relay repeats them')
    }
  }

  const takeTurn = createTurns(() => performance.now())

  /** @returns the first event of each job */
  async function add(events: readonly Consumed[], { sender, apart }: PublishOptions): Promise<string[]> {
    const trace = tracing.carry()
    const piles = gatherEvents(events, {
      most: apart === true ? 1 : EVENTS_PER_JOB,
      takeTurn: () => (sender === undefined ? 0 : takeTurn(sender)),
    })
    for (const [name, queue] of queues) {
      const jobs = piles.filter((pile) => pile.queue === name).map((pile) => describeEventJob(pile, trace))
      if (jobs.length > 0) await withLimit(queue.get().then((ready) => ready.addBulk(jobs)))
    }
    return piles.map(({ ids: [first] }) => first)
  }

  async function restore(events: readonly EventToEnqueue[], suspects: number): Promise<number> {
    const found = new Set<number>()
    // An event's turn is not kept: its job may be on either queue.
    for (const queue of queues.values()) {
      const ready = await queue.get()
      const places = events.map((event) => ({ queue: ready, jobId: eventJobId(event.id) }))
      const jobs = await findJobs(connection, places)
      await Promise.all(
        jobs.map(async (job, index) => {
          if (index < suspects ? !(await removeIfDead(job)) : job.exists) found.add(index)
        }),
      )
    }
    const missing = events.filter(({ type }, index) => !found.has(index) && consumerOf(type) !== undefined)
    const isPublished = await publish(missing, {
      mark: 'now',
      sender: 'relay',
      apart: missing.length < BACKLOG,
    })
    return isPublished ? missing.length : 0
  }

  async function publish(events: readonly EventToEnqueue[], options: PublishOptions = {}): Promise<boolean> {
    const consumed = events.flatMap((event): Consumed[] => {
      const consumer = consumerOf(event.type)
      return consumer === undefined ? [] : [{ event, consumer }]
    })
    if (consumed.length === 0) return true
    if (connection.status !== 'ready' || rest.isResting()) return false
    let firsts: string[]
    try {
      firsts = await tracing.inSpan(
        `enqueue ${LEAD_EVENTS_QUEUE}`,
        { 'messaging.system': 'bullmq', 'messaging.batch.message_count': consumed.length },
        () => add(consumed, options),
        { kind: 'producer' },
      )
    } catch (error) {
      rest.begin()
      logger.warn({ err: error, count: consumed.length }, 'events not enqueued; the relay will')
      return false
    }
    unmarked.push(...(options.mark === 'now' ? consumed.map(({ event }) => event.id) : firsts))
    if (options.mark === 'now') await mark()
    else timer ??= setTimeout(() => void mark(), MARK_AFTER_MS)
    return true
  }

  return {
    publish,
    restore,
    isReady: () => connection.status === 'ready',
    close: async () => {
      await mark()
      await Promise.all([...queues.values()].map((queue) => queue.close()))
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
