import type { Config } from '#core/config/config.ts'
import type { Opened } from '#core/closing.ts'
import { openWatchedQueues, type WatchedQueues } from '#core/queue/open-watched-queues.ts'
import { openDeliveryPublisher, type DeliveryPublisher } from '#core/queue/publish-deliveries.ts'
import { openEventPublisher, type EventPublisher } from '#core/queue/publish-events.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import type { Tracing } from '#core/telemetry/tracing.ts'
import type { Stores } from '../open-stores.ts'

/** Publishers of jobs, and handles for watching the queues. */
export interface QueuesPart {
  events: EventPublisher
  deliveries: DeliveryPublisher
  watchedQueues: WatchedQueues
}

export function openQueues(
  { config, logger, tracing }: { config: Config; logger: Logger; tracing: Tracing },
  { db, redis }: Stores,
): Opened<QueuesPart> {
  const onError = (error: Error): void => {
    logger.debug({ err: error }, 'redis connection failed')
  }
  const events = openEventPublisher({ config, db, logger, tracing })
  const deliveries = openDeliveryPublisher({ config, connection: redis, onError, tracing })
  const watchedQueues = openWatchedQueues({ config, connection: redis, onError })
  return {
    part: { events, deliveries, watchedQueues },
    close: async () => {
      await watchedQueues.close()
      await deliveries.close()
      await events.close()
    },
  }
}
