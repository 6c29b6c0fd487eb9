import { findUnplannedEvents } from '#core/data/outbox/events.ts'
import { hasOverdueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import { findPaused, findRunnable } from '#core/queue/find-runnable.ts'
import { DELIVERIES_QUEUE, LEAD_EVENTS_QUEUE, LEAD_MARKET_QUEUE } from '#core/queue/queues.ts'
import { listShards, spreadQueues } from '#core/queue/shards.ts'
import type { WorkerContext } from '#worker/context.ts'
import type { Pulse, QueueWorkers } from '#worker/queues/queue-workers.ts'

/** Within this time a worker that works has enqueued every event, and has polled for due deliveries many times. */
const OVERDUE_SECONDS = 30
const DATABASE = 'postgresql'

/**
 * Finds a worker that is alive but does nothing: there is work, it has free slots, Redis and PostgreSQL answer, and
 * look after look it starts nothing. First its queue workers are replaced once, on a new connection. If that does not
 * help, the process ends so that its supervisor starts another. It counts looks, not seconds, so that a process that
 * slept is not ended.
 * @param options.sends the deliveries of worker/dispatch: one in flight proves that the worker works
 * @param options.looks number of looks in a row that it takes
 * @param options.isLate whether PostgreSQL holds any overdue work; asked first, because the rest costs more
 */
export function createWatchLiveness(
  context: Pick<WorkerContext, 'config' | 'db' | 'redis' | 'logger'>,
  workers: Pick<QueueWorkers, 'pulses' | 'replace'>,
  options: { sends: Pulse; looks: number; giveUp: () => void; isLate?: () => Promise<boolean> },
): () => Promise<void> {
  const { config, db, redis, logger } = context
  const pulses = [...workers.pulses, options.sends]
  const queues = workers.pulses.map(({ queue }) => queue)
  const idleLooks = new Map<string, number>()
  let startedBefore = new Map<string, number>()
  /** the queue because of which the workers were replaced, until it starts a job again */
  let replacedFor: string | undefined

  /** Whether deliveries or events are overdue in PostgreSQL while their queue is not paused. */
  async function hasOverdueWork(): Promise<boolean> {
    if ((await options.isLate?.()) === false) return false
    const ofEvents = spreadQueues([LEAD_EVENTS_QUEUE, LEAD_MARKET_QUEUE], listShards(config.redis.shards))
    const paused = await findPaused(redis, config.redis, [DELIVERIES_QUEUE, ...ofEvents])
    if (!paused.has(DELIVERIES_QUEUE) && (await hasOverdueDelivery(db, OVERDUE_SECONDS))) return true
    // We do not find out which events belong to a paused shard. While any shard is paused, no event counts as overdue.
    if (ofEvents.some((queue) => paused.has(queue))) return false
    const unplanned = {
      types: CONSUMED_EVENTS,
      overdueSeconds: OVERDUE_SECONDS,
      limit: 1,
      after: undefined,
    }
    return (await findUnplannedEvents(db, unplanned)).length > 0
  }

  async function findNeglected(): Promise<string[]> {
    const runnable = await findRunnable(redis, config.redis, queues)
    const neglected = pulses.filter((pulse) => runnable.has(pulse.queue) && isIdle(pulse))
    if (neglected.length > 0) return neglected.map(({ queue }) => queue)
    // Redis shows nothing to do. If PostgreSQL does, jobs are missing or our chores do not run.
    return pulses.every(isIdle) && (await hasOverdueWork()) ? [DATABASE] : []
  }

  /** Redis or PostgreSQL did not answer, so earlier looks do not count. */
  function startOver(error: unknown): never {
    idleLooks.clear()
    throw error
  }

  const isIdle = ({ queue, started, running, slots }: Pulse): boolean =>
    running < slots && startedBefore.get(queue) === started

  return async function watchLiveness() {
    const neglected = redis.status === 'ready' ? await findNeglected().catch(startOver) : []
    if (replacedFor !== undefined && pulses.some((pulse) => revived(pulse))) replacedFor = undefined
    startedBefore = new Map(pulses.map(({ queue, started }) => [queue, started]))
    for (const queue of [...queues, DATABASE]) {
      idleLooks.set(queue, neglected.includes(queue) ? (idleLooks.get(queue) ?? 0) + 1 : 0)
    }
    const stuck = neglected.find((queue) => (idleLooks.get(queue) ?? 0) >= options.looks)
    if (stuck === undefined) return
    idleLooks.clear()
    if (replacedFor !== undefined) {
      logger.fatal({ queue: stuck }, 'work waits and this worker starts none; it ends, to be started again')
      options.giveUp()
      return
    }
    logger.error({ queue: stuck }, 'work waits and this worker starts none; its connections are made anew')
    replacedFor = stuck
    workers.replace()
  }

  function revived({ queue, started }: Pulse): boolean {
    return (replacedFor === DATABASE || replacedFor === queue) && startedBefore.get(queue) !== started
  }
}
