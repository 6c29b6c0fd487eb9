import type { Kysely } from 'kysely'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '#core/config/config.ts'
import { watchFiles } from '#core/file-store/watch-files.ts'
import type { Retained } from '#core/data/schema/retention-tables.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { PoolList } from '#core/data/pool-use.ts'
import type { RedisConnection } from '#core/queue/redis.ts'
import { watchPools } from '#core/telemetry/watch-pools.ts'
import { watchStores } from '#core/telemetry/watch-stores.ts'
import type { WatchedQueues } from '#core/queue/open-watched-queues.ts'
import type { SlotCounts } from '../dispatch/slot-pool.ts'
import type { WaitingCounts } from '../dispatch/waiting-clients.ts'
import { watchLag } from './watch-lag.ts'
import { watchMails, type MailKind } from './watch-mails.ts'
import { watchQueues } from './watch-queues.ts'
import { watchRetention } from './watch-retention.ts'
import { watchWaits } from './watch-waits.ts'

const STAGE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const LATENCY_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 7200, 43_200]
/** The SLO is at 5 s (docs/operations/alerts.md). */
const BEGIN_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800]
const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200]

const REMOVED_FILES = ['expired', 'unnamed', 'unfinished'] as const
export type RemovedFiles = (typeof REMOVED_FILES)[number]

/**
 * The line in which a first attempt waited: `ordinary`; `burst` has low priority on purpose; an `unproved` endpoint is
 * new or slow, and gets few requests at a time.
 */
export type FirstAttemptLine = 'ordinary' | 'burst' | 'unproved'

/** Metrics of the stages. Labels are classes; never clients, ids or addresses, whose number has no limit. */
export interface WorkerMetrics {
  registry: Registry
  /** one attempt was made and recorded; `outcome` is `delivered` or an ErrorClass */
  countAttempt: (outcome: string) => void
  /** a delivery has ended */
  countFinished: (state: 'delivered' | 'failed') => void
  /** seconds from the event's commit to the endpoint's answer, without resends, whose event is old on purpose */
  observeLatency: (seconds: number) => void
  /** seconds from the event's commit to the begin of the delivery's first attempt */
  observeBegin: (line: FirstAttemptLine, seconds: number) => void
  /** an exchange with an endpoint begins; the returned function is called when it ends */
  beginExchange: () => () => void
  /** a mail has ended */
  countMail: (kind: MailKind, outcome: 'sent' | 'failed' | 'expired') => void
  /** housekeeping removed files, bytes or rests of uploads */
  countRemovedFiles: (removed: Readonly<Record<RemovedFiles, number>>) => void
  /** rows were removed by their age, or leads emptied of their persons */
  countRemovedRows: (what: Retained, rows: number) => void
  /** the counts of taken slots and of waiting clients, read at each scrape */
  watchSlots: (count: () => SlotCounts & WaitingCounts) => void
  observeBatch: (batcher: 'assign' | 'plan' | 'claim' | 'record', size: number) => void
  observeStage: (stage: string, outcome: 'done' | 'error', seconds: number) => void
}

/** The registry is not the global one, so that two workers in one process (as in tests) do not share counters. */
export function createMetrics(context: {
  config: Pick<Config, 'redis' | 'webhooks' | 'dataDir' | 'files' | 'logs' | 'retention'>
  db: Kysely<Database>
  pools: Pick<PoolList, 'read'>
  redis: RedisConnection
  watchedQueues: WatchedQueues
}): WorkerMetrics {
  const registry = new Registry()
  const registers = [registry]
  // The first, because the other readings of a scrape use connections themselves.
  watchPools(registry, context.pools)
  const attempts = new Counter({
    name: 'leadwire_delivery_attempts_total',
    help: 'Attempts recorded, by outcome: delivered, or the class of the failure',
    labelNames: ['outcome'],
    registers,
  })
  const finished = new Counter({
    name: 'leadwire_deliveries_finished_total',
    help: 'Deliveries that reached their end, by state: delivered, or failed after the last attempt',
    labelNames: ['state'],
    registers,
  })
  const latency = new Histogram({
    name: 'leadwire_lead_to_delivered_seconds',
    help: "Time from the event's commit to the endpoint's success, retries included, resends not",
    buckets: LATENCY_SECONDS,
    registers,
  })
  const begins = new Histogram({
    name: 'leadwire_lead_to_first_attempt_seconds',
    help: "Time from the event's commit to the begin of its first attempt, by line: ordinary, burst, unproved (new or slow endpoints); not of resends, nor of what was held or planned for later",
    labelNames: ['line'],
    buckets: BEGIN_SECONDS,
    registers,
  })
  // Their first increase is seen only if they are 0 before.
  for (const line of ['ordinary', 'burst', 'unproved']) begins.zero({ line })
  for (const outcome of ['internal_error', 'sender_crashed', 'mail_server']) attempts.inc({ outcome }, 0)
  const inFlight = new Gauge({
    name: 'leadwire_attempts_in_flight',
    help: 'Exchanges with endpoints under way in this worker',
    registers,
  })
  let exchanges = 0
  const { concurrency } = context.config.webhooks
  const slotsInUse: Gauge = new Gauge({
    name: 'leadwire_slots_in_use_ratio',
    help: 'Exchanges with endpoints under way in this worker, as a part of WEBHOOK_CONCURRENCY',
    registers,
    collect: () => slotsInUse.set(exchanges / concurrency),
  })
  const batches = new Histogram({
    name: 'leadwire_batch_size',
    help: 'Items written or read by one statement, by batcher: plan, claim, record',
    labelNames: ['batcher'],
    buckets: BATCH_SIZES,
    registers,
  })
  const stages = new Histogram({
    name: 'leadwire_stage_duration_seconds',
    help: 'Time one run of a stage took, by stage and outcome: done, error (of ours)',
    labelNames: ['stage', 'outcome'],
    buckets: STAGE_SECONDS,
    registers,
  })
  const mails = new Counter({
    name: 'leadwire_mails_finished_total',
    help: 'Mails that reached their end, by kind (account, notice) and outcome: sent, failed (refused or given up), expired',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  let share: (() => SlotCounts & WaitingCounts) | undefined
  const busyEndpoints: Gauge<'state'> = new Gauge({
    name: 'leadwire_busy_endpoints',
    help: 'Endpoints with exchanges in flight in this worker: busy, of these new (never answered), slow, strained (given less at a time)',
    labelNames: ['state'],
    registers,
    collect: () => {
      const counts = share?.()
      if (counts === undefined) return
      for (const state of ['busy', 'new', 'slow', 'strained'] as const)
        busyEndpoints.set({ state }, counts[state])
    },
  })
  const waiting: Gauge<'of'> = new Gauge({
    name: 'leadwire_rounds_waiting',
    help: 'Clients and endpoints with something due that this worker has no slot for at the moment',
    labelNames: ['of'],
    registers,
    collect: () => {
      const counts = share?.()
      if (counts === undefined) return
      waiting.set({ of: 'clients' }, counts.clients)
      waiting.set({ of: 'endpoints' }, counts.endpoints)
    },
  })
  watchLag(registry, context.db)
  watchWaits(registry, context)
  watchQueues(registry, context.watchedQueues)
  watchMails(registry, context.db)
  watchFiles(registry, context)
  watchStores(registry, context)
  watchRetention(registry, context)
  const removedRows = new Counter({
    name: 'leadwire_rows_removed_total',
    help: 'Rows removed by their age, by what: deliveries, events, decisions, audit_rows; sold_leads and unsold_leads are emptied of persons',
    labelNames: ['what'],
    registers,
  })
  const removedFiles = new Counter({
    name: 'leadwire_files_removed_total',
    help: 'Files removed by housekeeping: expired; unnamed (bytes that no file had); unfinished (rests of uploads)',
    labelNames: ['reason'],
    registers,
  })
  return {
    registry,
    countAttempt: (outcome) => attempts.inc({ outcome }),
    countFinished: (state) => finished.inc({ state }),
    observeLatency: (seconds) => latency.observe(Math.max(0, seconds)),
    observeBegin: (line, seconds) => begins.observe({ line }, Math.max(0, seconds)),
    beginExchange: () => {
      inFlight.inc()
      exchanges += 1
      return () => {
        inFlight.dec()
        exchanges -= 1
      }
    },
    watchSlots: (count) => {
      share = count
    },
    countMail: (kind, outcome) => mails.inc({ kind, outcome }),
    countRemovedFiles: (removed) => {
      for (const reason of REMOVED_FILES) removedFiles.inc({ reason }, removed[reason])
    },
    countRemovedRows: (what, rows) => removedRows.inc({ what }, rows),
    observeBatch: (batcher, size) => batches.observe({ batcher }, size),
    observeStage: (stage, outcome, seconds) => stages.observe({ stage, outcome }, seconds),
  }
}
