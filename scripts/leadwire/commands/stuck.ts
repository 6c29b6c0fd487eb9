import { listPausedSources } from '#core/data/leads/sources/pause-source.ts'
import { findStuckWork, type StuckWork } from '#core/data/operations/stuck-work.ts'
import { verifyPartitions } from '#core/data/operations/verify-rows.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import { findPaused } from '#core/queue/find-runnable.ts'
import { countPresentWorkers } from '#core/queue/present-workers.ts'
import {
  DELIVERIES_QUEUE,
  EVENT_BURSTS_QUEUE,
  LEAD_EVENTS_QUEUE,
  LEAD_MARKET_QUEUE,
} from '#core/queue/queues.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { listShards, spreadQueues } from '#core/queue/shards.ts'
import { defineCommand } from '../command.ts'
import { explainFailure } from '../explain-failure.ts'
import type { Services } from '../open-services.ts'
import { readSeconds } from '../read-seconds.ts'

/** Advice for each kind of work that waits. */
const ADVICE: Readonly<Record<string, string>> = {
  events_unenqueued: 'start Redis and a worker; the relay enqueues them',
  events_unplanned:
    'start a worker, or resume the queue lead-events; if one runs, look for errors in its log',
  events_unclaimed: 'a newer version wrote them: finish or repeat the release',
  events_failed:
    'correct what PostgreSQL refused (worker’s log: a job was given up), then leadwire retry-failed events',
  deliveries_due:
    'start a worker, or resume webhook-deliveries; /admin/deliveries says why each client waits',
  leases_expired: 'a worker died or hangs and none took over: start one',
  mails_waiting: 'leadwire doctor says whether the mail server answers',
  account_mails_waiting:
    'people wait for these codes and links: leadwire doctor says whether the mail server answers',
  exports_waiting: 'start a worker; leadwire doctor says whether the disk is full',
  imports_waiting: 'start a worker; look for errors in its log',
  partitions_missing: 'start a worker, which makes them within an hour; look for errors in its log',
  redis_away: 'start Redis; leads are accepted and delivered meanwhile, with delays',
  no_worker: 'start one: npm run worker',
  queue_paused: 'leadwire resume queue NAME',
  sources_paused: 'leadwire resume source ID, if that is over',
}

interface Stuck {
  kind: string
  count: number
  oldest: string | null
  /** ids, or names */
  ids: string[]
  advice: string
}

export const stuck = defineCommand({
  usage: '',
  about: [
    'Finds what should have gone on by now: events that are not enqueued or planned or were given up, due deliveries that no worker has, leases that ended, mails, exports and imports that wait, missing partitions of the log, paused queues and sources, and whether a worker runs. It says what to do about each.',
    'Changes nothing, and reads indexes of unfinished work only: well under a second. The exit code is 1 if anything is stuck.',
  ],
  flags: { seconds: { type: 'string', value: 'N', help: 'how long something may wait; 60 if left out' } },
  run: async ({ values, services }) => {
    const seconds = readSeconds('seconds', values.seconds, 60)
    const db = await services.database()
    const work = await findStuckWork(db, { types: CONSUMED_EVENTS, seconds })
    const { wrong, ids } = await verifyPartitions(db)
    const paused = await listPausedSources(db)
    const found = [
      ...work.map(describe),
      ...(wrong > 0 ? [name('partitions_missing', ids)] : []),
      ...(paused.length > 0
        ? [
            name(
              'sources_paused',
              paused.map(({ id }) => id),
            ),
          ]
        : []),
      ...(await askRedis(services)),
    ]
    return {
      isWrong: found.length > 0,
      data: { seconds, stuck: found },
      lines:
        found.length === 0
          ? [`Nothing has waited for more than ${seconds} s`]
          : found.flatMap(({ kind, count, oldest, ids: which, advice }) => [
              `${kind}: ${count}${oldest === null ? '' : `, the oldest since ${oldest}`} (${which.join(', ')})`,
              `  → ${advice}`,
            ]),
    }
  },
})

const describe = ({ kind, count, oldest, ids }: StuckWork): Stuck => ({
  kind,
  count,
  oldest: oldest.toISOString(),
  ids,
  advice: ADVICE[kind] ?? '',
})

const name = (kind: string, ids: string[]): Stuck => ({
  kind,
  count: ids.length,
  oldest: null,
  ids,
  advice: ADVICE[kind] ?? '',
})

async function askRedis(services: Services): Promise<Stuck[]> {
  const { redis } = services.config()
  const all = [LEAD_EVENTS_QUEUE, EVENT_BURSTS_QUEUE, LEAD_MARKET_QUEUE, DELIVERIES_QUEUE]
  try {
    const connection = await services.redis()
    const [{ count }, paused] = await Promise.all([
      countPresentWorkers(connection, queuePrefix(redis)),
      findPaused(connection, redis, spreadQueues(all, listShards(redis.shards))),
    ])
    return [
      ...(count === 0 ? [{ ...name('no_worker', ['worker']), count: 0 }] : []),
      ...(paused.size > 0 ? [name('queue_paused', [...paused])] : []),
    ]
  } catch (error) {
    return [name('redis_away', [explainFailure(error).split('\n')[0] ?? ''])]
  }
}
