import type { Registry } from 'prom-client'
import type { Config } from '#core/config/config.ts'
import { WAIT_REASONS, WAITING_ENDPOINTS, type WaitCode } from '#core/contract/operations/waits.ts'
import type { Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import { listUnderWay, listWaitingLines, readWaitTotals } from '#core/data/operations/waits.ts'
import { explainLines } from '#core/domain/webhooks/explain-lines.ts'
import { openJudgeRoom } from '#core/fairness/judge-room.ts'
import { readQueueState } from '#core/queue/read-queue-state.ts'
import type { RedisConnection } from '#core/queue/redis.ts'
import { watchReading } from '#core/telemetry/watch-reading.ts'

/** Each look reads every endpoint, so looks are less frequent than for other metrics. */
const KEPT_MS = 10_000

interface Waits {
  waitingClients: number
  longestSeconds: number
  reasons: Map<WaitCode, number>
}

interface Stores {
  config: Pick<Config, 'redis' | 'webhooks'>
  db: Kysely<Database>
  redis: RedisConnection
}

/**
 * Gauges of waiting clients and deliveries by reason, read at each scrape. Reasons are classes; clients are only
 * counted.
 */
export function watchWaits(registry: Registry, stores: Stores): void {
  const { gauge, gaugeBy } = watchReading(registry, { keptMs: KEPT_MS, read: () => readWaits(stores) })
  gauge(
    'leadwire_waiting_clients',
    'Clients with a delivery that is due and that no worker has',
    (waits) => waits.waitingClients,
  )
  gauge(
    'leadwire_longest_wait_seconds',
    'How long the client who waits longest has waited: of deliveries that no worker has, the one due for longest',
    (waits) => waits.longestSeconds,
  )
  gaugeBy(
    'leadwire_waiting_deliveries',
    `Deliveries that have not begun, by reason, at the ${WAITING_ENDPOINTS} endpoints that wait longest; of a long line only the first are counted`,
    ['reason'],
    ({ reasons }) => [...reasons].map(([reason, count]) => [{ reason }, count] as const),
  )
}

async function readWaits({ config, db, redis }: Stores): Promise<Waits> {
  const [totals, lines, underWay] = await Promise.all([
    readWaitTotals(db),
    listWaitingLines(db, { client: undefined, limit: WAITING_ENDPOINTS }),
    listUnderWay(db),
  ])
  const ids = [...lines, ...underWay].map((line) => line.webhook_config_id)
  const explained = explainLines(lines, {
    queueState: await readQueueState(redis, config.redis, ids),
    clients: totals.busy_clients,
    under_way: underWay,
    judgeRoom: openJudgeRoom(config.webhooks.endpointConcurrency),
    now: totals.now,
  })
  const reasons = new Map(WAIT_REASONS.filter(isWaiting).map((reason) => [reason, 0]))
  const add = (reason: WaitCode, count: number): void => {
    if (count > 0) reasons.set(reason, (reasons.get(reason) ?? 0) + count)
  }
  for (const { line, reason } of explained) {
    add(reason.code, line.waiting)
    add('not_due', line.later)
  }
  add('switched_off', totals.held_off)
  add('sending_paused', totals.held_paused)
  add('breaker_open', totals.held_broken)
  add('offered', totals.offered)
  return {
    waitingClients: totals.waiting_clients,
    longestSeconds: Math.max(0, (totals.now.getTime() - (totals.oldest_due ?? totals.now).getTime()) / 1000),
    reasons,
  }
}

/** A delivery in the hands of a worker does not wait. */
const isWaiting = (reason: WaitCode): boolean => reason !== 'in_progress'
