import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Config } from '#core/config/config.ts'
import type { Db } from '#core/data/database.ts'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { openDeliveryPublisher } from '#core/queue/publish-deliveries.ts'
import { openEventPublisher } from '#core/queue/publish-events.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import type { Tracing } from '#core/telemetry/tracing.ts'
import { createAfterCommit } from './after-commit.ts'
import type { Stores } from './open-stores.ts'
import type { Opened } from '#core/closing.ts'
import type { ServerMetrics } from './operations/metrics.ts'

/**
 * The sender of events, and whether they came in bulk: bulk events have low priority, as do events beyond the
 * sender's token bucket (core/fairness/priorities.ts).
 */
interface Brought {
  sender?: string
  inBulk?: boolean
}

/**
 * Announces to Redis what a transaction has committed, without delaying the caller. The worker finds later
 * what Redis misses.
 */
export interface Announcements {
  events: (events: readonly EventToEnqueue[], brought?: Brought) => void
  /** Announces events like `events`, if they must still be read, from the outbox that `find` gets. */
  eventsOf: (find: (outbox: Db) => Promise<readonly EventToEnqueue[]>) => void
  deliveries: (deliveries: readonly DueDelivery[]) => void
  isReady: () => boolean
}

export function openAnnouncements(
  given: { config: Config; logger: Logger; tracing: Tracing },
  { dbByKey, redis }: Stores,
  metrics: ServerMetrics,
): Opened<Announcements> {
  const { connection } = redis
  const eventPublisher = openEventPublisher({ ...given, db: dbByKey })
  const deliveryPublisher = openDeliveryPublisher({ ...given, ...redis })
  const missed = 'redis did not take what was committed; it is found in the database'
  const { run, settled } = createAfterCommit(given.logger, missed)
  const publish = async (committed: readonly EventToEnqueue[], brought?: Brought): Promise<void> => {
    if (!(await eventPublisher.publish(committed, brought))) metrics.countEnqueueFailure('events')
  }
  /**
   * Events that a sender brings at the same moment are published together; with tracing, only those of one
   * trace.
   */
  const gathered = new Map<string, EventToEnqueue[]>()
  const publishGathered = async (committed: readonly EventToEnqueue[], brought?: Brought): Promise<void> => {
    const key = `${brought?.sender ?? ''} ${brought?.inBulk ?? ''} ${given.tracing.carry() ?? ''}`
    const others = gathered.get(key)
    if (others !== undefined) {
      others.push(...committed)
      return
    }
    const all = [...committed]
    gathered.set(key, all)
    await nextTurn()
    gathered.delete(key)
    await publish(all, brought)
  }
  const add = (committed: readonly DueDelivery[]) =>
    deliveryPublisher.publish(committed).catch((error: unknown) => {
      metrics.countEnqueueFailure('deliveries')
      throw error
    })
  return {
    part: {
      events: (committed, brought) => {
        if (committed.length > 0) run(() => publishGathered(committed, brought))
      },
      eventsOf: (find) => {
        if (eventPublisher.isReady()) run(async () => publish(await find(dbByKey)))
        else metrics.countEnqueueFailure('events')
      },
      deliveries: (committed) => {
        if (committed.length === 0) return
        if (connection.status === 'ready') run(() => add(committed))
        else metrics.countEnqueueFailure('deliveries')
      },
      isReady: () => connection.status === 'ready' && eventPublisher.isReady(),
    },
    close: async () => {
      await settled()
      await deliveryPublisher.close()
      await eventPublisher.close()
    },
  }
}
