import type { WorkerContext } from './context.ts'
import type { WorkerMetrics } from './metrics/create-metrics.ts'

/** What sends a delivery needs this much of it, in whichever process it does so (worker/alone). */
export type SendingContext = Pick<
  WorkerContext,
  'config' | 'db' | 'logger' | 'secrets' | 'tracing' | 'transport' | 'outcomes' | 'gathering'
> & {
  metrics: Pick<
    WorkerMetrics,
    'beginExchange' | 'observeStage' | 'observeBatch' | 'countAttempt' | 'countFinished' | 'observeLatency'
  >
}
