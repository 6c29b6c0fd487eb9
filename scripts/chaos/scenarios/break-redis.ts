import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { sql } from 'kysely'
import { PIPELINE } from '#core/pipeline.ts'
import type { BreakableService } from '../../lab/breakable-services.ts'
import type { Span } from '../../lab/receiver/read-receipts.ts'
import { judgeAnswers } from '../judges/judge-acks.ts'
import { countWithin, judgeMet } from '../judges/judge-fault.ts'
import { judgeRunning } from '../judges/judge-processes.ts'
import { judgeGaps, judgeLateness, judgeThroughput } from '../judges/judge-receipts.ts'
import { readQueues } from '../queues.ts'
import type { Scenario } from '../scenario.ts'
import { now } from '../../lab/now.ts'
import type { World } from '../world.ts'

/** The API does not wait for Redis; a busy machine may add its own delay. */
const ANSWER_LIMIT_MS = 5000
const DUE_LIMIT_MS = 60_000
const GAP_LIMIT_MS = 15_000

/** spans in which Redis was away */
const aways = new WeakMap<World, Span[]>()

/**
 * Deliveries need no Redis: only events' jobs and wake-ups are lost or late. So no fault here makes a request
 * ambiguous, and no repeat is allowed.
 */
export const breakRedis: Scenario[] = [
  {
    id: 'S3',
    name: "FLUSHALL with events' jobs waiting, and deliveries that wait as rows for their retry",
    passes: 'all due again within 60 s, none lost, none sent twice',
    world: (length) => ({
      workers: 2,
      endpoints: ['ok', 'first-500'],
      env: { WEBHOOK_RETRY_SCHEDULE: length === 'quick' ? '5,5,5' : '30,5,5', WEBHOOK_RETRY_JITTER: '0' },
    }),
    load: { quick: { rate: 50, seconds: 6 }, long: { rate: 100, seconds: 25 } },
    break: async (run) => {
      const { world, length, at } = run
      await at(length === 'quick' ? 4 : 20)
      // The workers pause for a moment, so that jobs wait.
      for (const worker of world.workers) worker.freeze()
      await sleep(length === 'quick' ? 1000 : 4000)
      run.meet("events' jobs that waited at the flush", await countWaitingEvents(world))
      run.meet('retries that waited at the flush', await countRetries(world))
      await world.redis.flushall()
      for (const worker of world.workers) worker.thaw()
      run.mended()
    },
    check: ({ ledger, world, met, figure }) => {
      const stepMs = (world.config.webhooks.retryScheduleSeconds[0] ?? 0) * 1000
      return [...judgeMet(met, figure), ...judgeLateness(ledger.receipts, { stepMs, limitMs: DUE_LIMIT_MS })]
    },
  },
  {
    id: 'S4',
    name: 'Redis is killed and started, then frozen for 15 s, then away for long',
    passes:
      'the API answers within 5 s at p99; retries are made meanwhile; workers go on by themselves when it is back',
    world: {
      workers: 2,
      endpoints: ['ok', 'first-500'],
      env: { WEBHOOK_RETRY_SCHEDULE: '2,2,2,3,5,5,10,10' },
    },
    load: { quick: { rate: 40, seconds: 12 }, long: { rate: 100, seconds: 120 } },
    break: async (run) => {
      const { length, at, world } = run
      const store = storeOf(world)
      const spans: Span[] = []
      aways.set(world, spans)
      const beAway = async (begin: () => Promise<void>, wait: Promise<unknown>, end: () => Promise<void>) => {
        const from = now()
        await begin()
        await wait
        spans.push({ from, until: now() })
        await end()
      }
      await at(2)
      await beAway(store.crash, sleep(1000), store.start)
      await at(length === 'quick' ? 6 : 15)
      await beAway(store.freeze, sleep(length === 'quick' ? 3000 : 15_000), store.thaw)
      if (length === 'long') {
        await at(45)
        await beAway(store.crash, at(105), store.start)
      }
      run.mended()
    },
    drainSeconds: 120,
    check: ({ ledger, figure, world }) => {
      const spans = aways.get(world) ?? []
      const taken = ledger.acks.map(({ ackedAt }) => ackedAt)
      const retried = ledger.receipts.filter(({ attempt }) => attempt > 1).map(({ at }) => at)
      return [
        ...judgeAnswers(ledger.acks, ANSWER_LIMIT_MS, figure),
        ...judgeRunning(world.workers),
        ...judgeMet(
          {
            'leads taken while Redis was away': countWithin(taken, spans),
            'retries made while Redis was away': countWithin(retried, spans),
          },
          figure,
        ),
      ]
    },
  },
  {
    id: 'S5',
    name: 'every connection to Redis is cut (RST) each second',
    passes: 'at least half of the load goes through meanwhile, none lost, none sent twice',
    world: { workers: 2, proxied: ['redis'] },
    load: { quick: { rate: 40, seconds: 8 }, long: { rate: 100, seconds: 60 } },
    break: async (run) => {
      const { length, world, at } = run
      const cuts = length === 'quick' ? 5 : 58
      for (let cut = 1; cut <= cuts; cut += 1) {
        await at(cut)
        run.meet('connections cut', world.proxies.redis?.resetAll() ?? 0)
      }
      const arrived = new Set((await world.receiver.receipts()).map(({ deliveryId }) => deliveryId)).size
      run.figure('arrived meanwhile', String(arrived))
      run.mended()
    },
    check: ({ ledger, met, mendedAt, figure }) => [
      ...judgeMet(met, figure),
      ...judgeThroughput(ledger, mendedAt, figure),
    ],
  },
  {
    id: 'S6',
    name: 'Redis runs out of memory (maxmemory, noeviction), then gets more',
    passes: 'bulks that were taken in part are healed; workers go on without a restart',
    world: { workers: 2 },
    load: { quick: { rate: 50, seconds: 8 }, long: { rate: 100, seconds: 40 } },
    break: async (run) => {
      const { length, world, at } = run
      const store = singleOf(world)
      await at(2)
      await store.config('SET', 'maxmemory', '1mb')
      await at(length === 'quick' ? 5 : 25)
      const [, refused] = /errorstat_OOM:count=(\d+)/.exec(await store.info('errorstats')) ?? []
      run.meet('commands refused for want of memory', Number(refused ?? 0))
      await store.config('SET', 'maxmemory', '0')
      run.mended()
    },
    check: ({ world, met, figure }) => [...judgeMet(met, figure), ...judgeRunning(world.workers)],
  },
  {
    id: 'S9',
    name: 'one reply of Redis in a hundred is swallowed, and its connection dies',
    passes: 'neighbours of the lost reply are delivered, none twice; a stall never fails a job',
    world: { workers: 2, proxied: ['redis'] },
    load: { quick: { rate: 30, seconds: 8 }, long: { rate: 50, seconds: 60 } },
    drainSeconds: 180,
    break: async (run) => {
      const { length, world, at } = run
      const proxy = world.proxies.redis
      await at(1)
      // A quick run has few replies, so more of them are dropped.
      if (proxy !== undefined) proxy.fault.swallow = length === 'quick' ? 0.05 : 0.01
      await at(length === 'quick' ? 6 : 58)
      proxy?.mend()
      run.meet('replies swallowed', proxy?.harmed() ?? 0)
      run.mended()
    },
    check: ({ met, figure }) => judgeMet(met, figure),
  },
  {
    id: 'S18',
    name: 'Redis Cluster: a master is killed, a replica takes over by order, a slot moves',
    passes: 'each gap at most 15 s; nothing lost',
    world: { workers: 2, redis: 'cluster' },
    load: { quick: { rate: 40, seconds: 10 }, long: { rate: 100, seconds: 60 } },
    break: async (run) => {
      const { length, world, at } = run
      const { cluster } = world
      if (cluster === undefined) throw new Error('This scenario needs a cluster')
      const key = '{bull}:any'
      await at(2)
      const master = await cluster.masterOf(key)
      await master.crash()
      await at(length === 'quick' ? 10 : 20)
      await master.start()
      if (length === 'long') {
        await at(32)
        await cluster.failOver(key)
        await at(44)
        await cluster.moveSlot(key)
      }
      run.mended()
    },
    check: ({ ledger, figure }) => judgeGaps(ledger, GAP_LIMIT_MS, figure),
  },
]

function storeOf(world: World): BreakableService {
  if (world.store === undefined) throw new Error('This scenario needs a single Redis')
  return world.store
}

function singleOf(world: World): Redis {
  if ('nodes' in world.redis) throw new Error('This scenario needs a single Redis')
  return world.redis
}

async function countWaitingEvents(world: World): Promise<number> {
  const queues: readonly string[] = PIPELINE.planDeliveries.queues
  const rows = (await readQueues(world)).filter(({ queue }) => queues.includes(queue))
  return rows.reduce((sum, { waiting }) => sum + waiting, 0)
}

async function countRetries(world: World): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries where state = 'pending' and attempt > 0`.execute(
    world.db,
  )
  return rows[0]?.count ?? 0
}
