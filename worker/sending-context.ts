import type { WorkerContext } from './context.ts'
import type { WorkerMetrics } from './metrics/create-metrics.ts'

/** The part of the worker's context that sending a delivery needs, in the worker itself or in a process of worker/alone. */
export type SendingContext = Pick<
  WorkerContext,
  'config' | 'db' | 'logger' | 'secrets' | 'outcomeKeys' | 'tracing' | 'transport' | 'outcomes' | 'gathering'
> & {
  metrics: Pick<
    WorkerMetrics,
    | 'beginExchange'
    | 'observeBegin'
    | 'observeStage'
    | 'observeBatch'
    | 'countAttempt'
    | 'countFinished'
    | 'observeLatency'
  >
}
