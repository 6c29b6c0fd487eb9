import type { Registry } from 'prom-client'
import type { WatchedQueues } from '#core/queue/open-watched-queues.ts'
import { watchReading } from '#core/telemetry/watch-reading.ts'

const KEPT_MS = 3000

/** Counts the jobs in each queue, read from Redis at each scrape. */
export function watchQueues(registry: Registry, queues: WatchedQueues): void {
  const { gaugeBy } = watchReading(registry, { keptMs: KEPT_MS, read: () => queues.count() })
  gaugeBy('leadwire_queue_jobs', 'Jobs in Redis, by queue and state', ['queue', 'state'], (queueCounts) =>
    queueCounts.flatMap(({ queue, counts }) =>
      Object.entries(counts).map(([state, jobs]) => [{ queue, state }, jobs] as const),
    ),
  )
}
