import type { Registry } from 'prom-client'
import { readBacklog } from '#core/data/operations/backlog.ts'
import { verifyPartitions } from '#core/data/operations/verify-rows.ts'
import { countPresentWorkers } from '#core/queue/present-workers.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import type { Config } from '#core/config/config.ts'
import { watchReading } from '#core/telemetry/watch-reading.ts'
import type { Stores } from '../open-stores.ts'
import type { QueueCounter } from './queue-tallies.ts'

/** These counts read up to tens of thousands of rows, so a scrape mostly gets the last ones. */
const KEPT_MS = 60_000
const WORKERS_KEPT_MS = 3000

/** Gauges of what waits for a person, and of the running workers: they have values while no worker runs. */
export function watchBacklog(
  registry: Registry,
  {
    config,
    db,
    redis,
    queueCounter,
  }: Pick<Stores, 'db' | 'redis'> & { config: Config; queueCounter: QueueCounter },
): void {
  const { gauge } = watchReading(registry, { keptMs: KEPT_MS, read: () => readBacklog(db) })
  gauge('leadwire_unsold_leads', 'Leads that are held for sale, counted up to 20,000', ({ unsold }) => unsold)
  gauge(
    'leadwire_oldest_unsold_lead_age_seconds',
    'Age of the oldest lead that is held for sale',
    (backlog) => backlog.oldest_unsold,
  )
  gauge(
    'leadwire_waiting_payments',
    'Payments that are neither received nor ended',
    ({ payments }) => payments,
  )
  gauge(
    'leadwire_oldest_waiting_payment_age_seconds',
    'Age of the oldest payment that is neither received nor ended',
    (backlog) => backlog.oldest_payment,
  )
  gauge(
    'leadwire_payment_differences',
    'Payments that differ from the payment provider’s records',
    ({ differences }) => differences,
  )
  gauge(
    'leadwire_open_revocations',
    'Clients that have not acknowledged a revocation of consent, counted for each lead',
    (backlog) => backlog.open_revocations,
  )
  gauge(
    'leadwire_overdue_revocations',
    'Clients that have not acknowledged a revocation of consent within ten business days, counted for each lead',
    (backlog) => backlog.overdue_revocations,
  )
  const dead = watchReading(registry, { keptMs: KEPT_MS, read: () => queueCounter.readDead() })
  dead.gauge('leadwire_dead_letters', 'Deliveries that failed for good and were not sent again', (tallies) =>
    tallies.reduce((sum, { failed }) => sum + failed, 0),
  )
  const partitions = watchReading(registry, { keptMs: KEPT_MS, read: () => verifyPartitions(db) })
  partitions.gauge(
    'leadwire_log_partitions_missing',
    'Weekly partitions of the log that are missing for this week and the next, and default partitions that have rows',
    ({ wrong }) => wrong,
  )
  const workers = watchReading(registry, {
    keptMs: WORKERS_KEPT_MS,
    read: () => countPresentWorkers(redis.connection, queuePrefix(config.redis)),
  })
  workers.gauge(
    'leadwire_workers',
    'Workers that told Redis of themselves in the last seconds',
    ({ count }) => count,
  )
}
