import { Counter, Histogram, Registry } from 'prom-client'
import type { Config } from '#core/config/config.ts'
import type { LeadReceipt } from '#core/contract/leads/lead-ingest.ts'
import { readPipelineLag } from '#core/data/operations/pipeline-lag.ts'
import { watchFiles } from '#core/file-store/watch-files.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import { createMetricsReader } from '#core/telemetry/create-metrics-reader.ts'
import { watchPools } from '#core/telemetry/watch-pools.ts'
import { watchReading } from '#core/telemetry/watch-reading.ts'
import { watchStores } from '#core/telemetry/watch-stores.ts'
import type { Stores } from '../open-stores.ts'
import type { QueueCounter } from './queue-tallies.ts'
import { createSocketMetrics, type SocketMetrics } from './socket-metrics.ts'
import { watchBacklog } from './watch-backlog.ts'

const KEPT_MS = 3000

/**
 * Metrics of routes and use cases. Labels are classes, never a client, an id or an address, because their
 * number has no limit.
 */
export interface ServerMetrics {
  /** all metrics in Prometheus' text format, and its media type */
  read: () => Promise<string>
  contentType: string
  observe: (route: string, method: string, status: number, seconds: number) => void
  countLead: (result: LeadReceipt['result']) => void
  /** Redis missed something committed; the worker finds it later */
  countEnqueueFailure: (of: 'events' | 'deliveries') => void
  sockets: SocketMetrics
}

/** The process's own registry, so that two servers in one process (as in tests) do not share counters. */
export function createMetrics(
  { db, redis, pools }: Pick<Stores, 'db' | 'redis' | 'pools'>,
  config: Config,
  queueCounter: QueueCounter,
): ServerMetrics {
  const registry = new Registry()
  const registers = [registry]
  // The first, because the other readings of a scrape use connections themselves.
  watchPools(registry, pools)
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const leads = new Counter({
    name: 'leadwire_leads_total',
    help: 'Leads that sources sent, by result: accepted, duplicate, rejected',
    labelNames: ['result'],
    registers,
  })
  const enqueueFailures = new Counter({
    name: 'leadwire_enqueue_failures_total',
    help: 'Times that Redis was not told of what was committed, by kind: events, deliveries; a worker finds it',
    labelNames: ['kind'],
    registers,
  })
  const lag = watchReading(registry, { keptMs: KEPT_MS, read: () => readPipelineLag(db, CONSUMED_EVENTS) })
  lag.gauge(
    'leadwire_outbox_depth',
    'Events committed but not yet in Redis, counted up to 100,000',
    ({ outboxDepth }) => outboxDepth,
  )
  watchFiles(registry, { config, db })
  watchStores(registry, { db, redis: redis.connection })
  watchBacklog(registry, { config, db, redis, queueCounter })
  return {
    read: createMetricsReader(registry, config.build),
    contentType: registry.contentType,
    observe: (route, method, status, seconds) => {
      durations.observe({ route, method, status }, seconds)
    },
    countLead: (result) => {
      leads.inc({ result })
    },
    countEnqueueFailure: (kind) => {
      enqueueFailures.inc({ kind })
    },
    sockets: createSocketMetrics(registry),
  }
}
