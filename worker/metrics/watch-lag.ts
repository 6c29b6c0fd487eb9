import type { Registry } from 'prom-client'
import type { Db } from '#core/data/database.ts'
import { readPipelineLag, type PipelineLag } from '#core/data/operations/pipeline-lag.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import { watchReading } from '#core/telemetry/watch-reading.ts'

const KEPT_MS = 3000

/** Measures how far behind the pipeline is, read from PostgreSQL at each scrape. */
export function watchLag(registry: Registry, db: Db): void {
  const { gauge, gaugeBy } = watchReading(registry, {
    keptMs: KEPT_MS,
    read: () => readPipelineLag(db, CONSUMED_EVENTS),
  })
  gauge(
    'leadwire_oldest_due_delivery_age_seconds',
    'How long the oldest due delivery has been due; one in flight counts until it is recorded, one that waits for the limit of its endpoint does not',
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
    gaugeBy(name, help, ['type'], (lag) =>
      lag.stray[which].map(({ type, count }) => [{ type }, count] as const),
    )
  }
  strays(
    'leadwire_unclaimed_events',
    'Events that no consumer of this version takes, by type; they wait for a version that does',
    'unclaimed',
  )
  strays('leadwire_failed_events', 'Events that could not be planned and were given up, by type', 'failed')
}
