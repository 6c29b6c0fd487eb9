import type { Config } from '#core/config/config.ts'
import { openWatchedQueues, type WatchedQueues } from '#core/queue/open-watched-queues.ts'
import type { Stores } from '../open-stores.ts'
import type { Opened } from '#core/opened.ts'
import { createMetrics, type ServerMetrics } from './metrics.ts'

export interface OperationsPart {
  metrics: ServerMetrics
  /** the pipeline's queues, to be looked at only */
  queues: WatchedQueues
}

export function openOperations(config: Config, { db, redis }: Stores): Opened<OperationsPart> {
  const queues = openWatchedQueues({ config, ...redis })
  return { part: { metrics: createMetrics(db), queues }, close: () => queues.close() }
}
