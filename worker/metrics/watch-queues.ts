import { LRUCache } from 'lru-cache'
import { Gauge, type Registry } from 'prom-client'
import type { WatchedQueues } from '#core/queue/open-watched-queues.ts'

const KEPT_MS = 3000

/** How many jobs each queue holds, read from Redis while it is scraped; no value while Redis is away. */
export function watchQueues(registry: Registry, queues: WatchedQueues): void {
  const kept = new LRUCache<'counts', Awaited<ReturnType<WatchedQueues['count']>>>({
    max: 1,
    ttl: KEPT_MS,
    fetchMethod: () => queues.count(),
  })
  const gauge: Gauge<'queue' | 'state'> = new Gauge({
    name: 'leadwire_queue_jobs',
    help: 'Jobs in Redis, by queue and state',
    labelNames: ['queue', 'state'],
    registers: [registry],
    collect: async () => {
      gauge.reset()
      for (const { queue, counts } of (await kept.fetch('counts').catch(() => undefined)) ?? []) {
        for (const [state, jobs] of Object.entries(counts)) gauge.set({ queue, state }, jobs)
      }
    },
  })
}
