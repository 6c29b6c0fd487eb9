import { Gauge, type Registry } from 'prom-client'
import { keepFor } from '#core/pace/keep-for.ts'
import type { WatchedQueues } from '#core/queue/open-watched-queues.ts'

const KEPT_MS = 3000

/** How many jobs each queue holds, read from Redis while it is scraped; no value while Redis is away. */
export function watchQueues(registry: Registry, queues: WatchedQueues): void {
  const count = keepFor(KEPT_MS, () => queues.count())
  const gauge: Gauge<'queue' | 'state'> = new Gauge({
    name: 'leadwire_queue_jobs',
    help: 'Jobs in Redis, by queue and state',
    labelNames: ['queue', 'state'],
    registers: [registry],
    collect: async () => {
      gauge.reset()
      for (const { queue, counts } of await count().catch(() => [])) {
        for (const [state, jobs] of Object.entries(counts)) gauge.set({ queue, state }, jobs)
      }
    },
  })
}
