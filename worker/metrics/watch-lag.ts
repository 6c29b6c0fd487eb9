import { LRUCache } from 'lru-cache'
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '#core/data/database.ts'
import { readPipelineLag, type PipelineLag } from '#core/data/operations/pipeline-lag.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'

/** However often it is scraped, and by however many, the database is asked this seldom. */
const KEPT_MS = 3000

/** Gauges that are read from PostgreSQL while they are scraped. While it is away they have no value rather than an old one. */
export function watchLag(registry: Registry, db: Db): void {
  const kept = new LRUCache<'lag', PipelineLag>({
    max: 1,
    ttl: KEPT_MS,
    fetchMethod: () => readPipelineLag(db, CONSUMED_EVENTS),
  })
  const gauge = (name: string, help: string, value: (lag: PipelineLag) => number): void => {
    const made: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: async () => {
        made.remove()
        const lag = await kept.fetch('lag').catch(() => undefined)
        if (lag !== undefined) made.set(value(lag))
      },
    })
  }
  gauge(
    'leadwire_oldest_due_delivery_age_seconds',
    'How long the oldest due delivery has been due; one in flight counts until it is recorded',
    (lag) => lag.oldestDueSeconds,
  )
  gauge(
    'leadwire_oldest_unplanned_event_age_seconds',
    'How long the oldest event has waited for its deliveries to be planned',
    (lag) => lag.oldestUnplannedSeconds,
  )
  gauge(
    'leadwire_outbox_depth',
    'Events committed but not yet in Redis, counted up to 100,000',
    (lag) => lag.outboxDepth,
  )
  gauge(
    'leadwire_open_breakers',
    'Endpoints that do not answer and whose deliveries are held back but for a probe',
    (lag) => lag.openBreakers,
  )
  const strays = (name: string, help: string, which: keyof PipelineLag['stray']): void => {
    const made: Gauge<'type'> = new Gauge({
      name,
      help,
      labelNames: ['type'],
      registers: [registry],
      collect: async () => {
        made.reset()
        const lag = await kept.fetch('lag').catch(() => undefined)
        for (const { type, count } of lag?.stray[which] ?? []) made.set({ type }, count)
      },
    })
  }
  strays(
    'leadwire_unclaimed_events',
    'Events that no consumer of this version takes, by type; they wait for a version that does',
    'unclaimed',
  )
  strays('leadwire_failed_events', 'Events that could not be planned and were given up, by type', 'failed')
}
