import type { Config } from '#core/config/config.ts'
import { readQueueState, type QueueState } from '#core/queue/read-queue-state.ts'
import { openWatchedQueues, type WatchedQueues } from '#core/queue/open-watched-queues.ts'
import { openRateLimits, type RateLimits } from '../http/rate-limits.ts'
import type { Stores } from '../open-stores.ts'
import type { Opened } from '#core/closing.ts'
import { createSumSources, type SumSources } from './admin/overview/sum-sources.ts'
import { createQueueCounter, type QueueCounter } from './queue-tallies.ts'
import { createReadStatus, type ReadStatus } from './status/show-status.ts'
import { createMetrics, type ServerMetrics } from './metrics.ts'

/** docs/product.md §9. */
const CONTACT_RATE = { points: 5, seconds: 3600 }

/**
 * Calls that anybody may make, from one network. A page asks for the status once a minute; keys are read by receivers, of
 * which many share the network of an automation service.
 */
const PUBLIC_RATES = { status: { points: 60, seconds: 60 }, webhook_keys: { points: 600, seconds: 60 } }

export interface OperationsPart {
  metrics: ServerMetrics
  /** the pipeline's queues, read only */
  queues: WatchedQueues
  /** the deliveries in PostgreSQL, counted as those queues */
  queueCounter: QueueCounter
  /** the sources of past hours, for the overview */
  sumSources: SumSources
  /** messages of the contact form, counted by the sender's network */
  contactRates: RateLimits<'contact'>
  /** public calls that read the database, counted by the caller's network */
  publicRates: RateLimits<keyof typeof PUBLIC_RATES>
  /** the public status, read at most once a minute */
  readStatus: ReadStatus
  /** the running workers, and how these endpoints have answered; null while Redis is away */
  readQueueState: (endpoints: readonly string[]) => Promise<QueueState | null>
}

export function openOperations(config: Config, stores: Stores): Opened<OperationsPart> {
  const { db, redis, counting } = stores
  const queueCounter = createQueueCounter({ db })
  const queues = openWatchedQueues({ config, ...redis })
  return {
    part: {
      metrics: createMetrics(stores, config, queueCounter),
      queues,
      queueCounter,
      sumSources: createSumSources(db),
      contactRates: openRateLimits({ contact: CONTACT_RATE }, counting),
      publicRates: openRateLimits(PUBLIC_RATES, counting),
      readStatus: createReadStatus(db),
      readQueueState: (endpoints) => readQueueState(redis.connection, config.redis, endpoints),
    },
    close: () => queues.close(),
  }
}
