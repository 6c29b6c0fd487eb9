import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { BreakableService } from '../../lab/breakable-services.ts'
import { judgeAnswers } from '../judges/judge-acks.ts'
import { judgeRunning } from '../judges/judge-processes.ts'
import { judgeGaps, judgeLateness, judgeThroughput } from '../judges/judge-receipts.ts'
import type { Scenario } from '../scenario.ts'
import { now } from '../../lab/now.ts'
import type { World } from '../world.ts'

/** The API does not wait for Redis; what a busy machine adds is its own. */
const ANSWER_LIMIT_MS = 5000
const DUE_LIMIT_MS = 60_000
const GAP_LIMIT_MS = 15_000

/** How much the fault hit: retries that waited, connections that were cut. */
const hit = new WeakMap<World, number>()

export const breakRedis: Scenario[] = [
  {
    id: 'S3',
    name: 'FLUSHALL with jobs delayed, waiting and active',
    passes: 'all due again within 60 s, none lost',
    world: (length) => ({
      workers: 2,
      endpoints: ['ok', 'first-500'],
      env: { WEBHOOK_RETRY_SCHEDULE: length === 'quick' ? '5,5,5' : '30,5,5', WEBHOOK_RETRY_JITTER: '0' },
    }),
    load: { quick: { rate: 50, seconds: 6 }, long: { rate: 100, seconds: 25 } },
    break: async (run) => {
      const { world, length, at } = run
      await at(length === 'quick' ? 4 : 20)
      // So that jobs wait as well: nobody takes them for a moment.
      for (const worker of world.workers) worker.freeze()
      const from = now()
      await sleep(length === 'quick' ? 1000 : 4000)
      const delayed = await countDelayed(world)
      await world.redis.flushall()
      for (const worker of world.workers) worker.thaw()
      world.blur('FLUSHALL', 2, from)
      hit.set(world, delayed)
      run.figure('waiting for a retry at the flush', String(delayed))
      run.mended()
    },
    check: ({ ledger, world }) => {
      const stepMs = (world.config.webhooks.retryScheduleSeconds[0] ?? 0) * 1000
      const waitingAtFlush = hit.get(world) ?? 0
      return judgeLateness(ledger.receipts, { stepMs, limitMs: DUE_LIMIT_MS, waitingAtFlush })
    },
  },
  {
    id: 'S4',
    name: 'Redis is killed and started, then frozen for 15 s, then away for long',
    passes: 'the API answers within 5 s at p99; workers go on by themselves when it is back',
    world: { workers: 2 },
    load: { quick: { rate: 40, seconds: 12 }, long: { rate: 100, seconds: 120 } },
    break: async (run) => {
      const { length, at, world } = run
      const store = storeOf(world)
      await at(2)
      await store.crash()
      await sleep(1000)
      await store.start()
      world.blur('kill of Redis', 2)
      await at(length === 'quick' ? 6 : 15)
      const from = now()
      await store.freeze()
      await sleep(length === 'quick' ? 3000 : 15_000)
      await store.thaw()
      world.blur('frozen Redis', 2, from)
      if (length === 'long') {
        await at(45)
        await store.crash()
        await at(105)
        await store.start()
        world.blur('Redis away', 2)
      }
      run.mended()
    },
    drainSeconds: 120,
    check: ({ ledger, figure, world }) => [
      ...judgeAnswers(ledger.acks, ANSWER_LIMIT_MS, figure),
      ...judgeRunning(world.workers),
    ],
  },
  {
    id: 'S5',
    name: 'every connection to Redis is cut (RST) each second',
    passes: 'at least half of the load goes through meanwhile, none lost',
    world: { workers: 2, proxied: ['redis'] },
    load: { quick: { rate: 40, seconds: 8 }, long: { rate: 100, seconds: 60 } },
    break: async (run) => {
      const { length, world, at } = run
      const from = now()
      const cuts = length === 'quick' ? 5 : 58
      let lines = 0
      for (let cut = 1; cut <= cuts; cut += 1) {
        await at(cut)
        lines += world.proxies.redis?.resetAll() ?? 0
      }
      world.blur('cut connections', 2, from)
      const arrived = new Set((await world.receiver.receipts()).map(({ deliveryId }) => deliveryId)).size
      hit.set(world, lines)
      run.figure('connections cut', String(lines))
      run.figure('arrived meanwhile', String(arrived))
      run.mended()
    },
    check: ({ ledger, world, mendedAt, figure }) =>
      judgeThroughput(ledger, { mendedAt, linesCut: hit.get(world) ?? 0 }, figure),
  },
  {
    id: 'S6',
    name: 'Redis runs out of memory (maxmemory, noeviction), then gets more',
    passes: 'bulks that were taken in part are healed; workers go on without a restart',
    world: { workers: 2 },
    load: { quick: { rate: 50, seconds: 8 }, long: { rate: 100, seconds: 40 } },
    break: async (run) => {
      const { length, world, at } = run
      await at(2)
      await configure(world, 'maxmemory', '1mb')
      await at(length === 'quick' ? 5 : 25)
      await configure(world, 'maxmemory', '0')
      world.blur('full Redis', 2)
      run.mended()
    },
    check: ({ world }) => judgeRunning(world.workers),
  },
  {
    id: 'S9',
    name: 'one reply of Redis in a hundred is swallowed, and its connection dies',
    passes: 'neighbours of the lost reply are delivered; a stall never fails a job',
    world: { workers: 2, proxied: ['redis'] },
    load: { quick: { rate: 30, seconds: 8 }, long: { rate: 50, seconds: 60 } },
    drainSeconds: 180,
    break: async (run) => {
      const { length, world, at } = run
      const proxy = world.proxies.redis
      const from = now()
      await at(1)
      if (proxy !== undefined) proxy.fault.swallow = 0.01
      await at(length === 'quick' ? 6 : 58)
      proxy?.mend()
      world.blur('swallowed replies', 2, from)
      run.mended()
    },
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
      const from = now()
      const master = await cluster.masterOf(key)
      await master.crash()
      await at(length === 'quick' ? 10 : 20)
      await master.start()
      world.blur('killed master', 2, from)
      if (length === 'long') {
        await at(32)
        const failingOver = now()
        await cluster.failOver(key)
        world.blur('CLUSTER FAILOVER', 2, failingOver)
        await at(44)
        const moving = now()
        await cluster.moveSlot(key)
        world.blur('slot migration', 2, moving)
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

async function configure(world: World, name: string, value: string): Promise<void> {
  if ('nodes' in world.redis) throw new Error('This scenario needs a single Redis')
  await world.redis.config('SET', name, value)
}

async function countDelayed(world: World): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries where state = 'pending' and attempt > 0`.execute(
    world.db,
  )
  return rows[0]?.count ?? 0
}
