import { judgeMet } from '../judges/judge-fault.ts'
import { judgeLocks } from '../judges/judge-processes.ts'
import { judgeRecovery, judgeRetryTimes } from '../judges/judge-receipts.ts'
import { readAttempts, readWorkerLogs } from '../read-logs.ts'
import type { Scenario } from '../scenario.ts'
import { now } from '../../lab/now.ts'
import type { World } from '../world.ts'

const HOUR_MS = 3600 * 1000
const RETRY_SECONDS = 3
const NOTICE_LIMIT_MS = 90_000

/** forgotten connections to Redis, and to PostgreSQL */
const forgotten = new WeakMap<World, readonly number[]>()

const shifted = (shiftMs: number) =>
  ({ modules: ['shift-clock'], env: { CHAOS_CLOCK_SHIFT_MS: String(shiftMs) } }) as const

/** Wrong clocks, and slow lines. */
export const breakTimeAndLine: Scenario[] = [
  {
    id: 'S25',
    name: 'a firewall forgets every connection to Redis, then to PostgreSQL: open, and silent for ever',
    passes: 'both processes notice by themselves and go on over new connections, within 90 s',
    world: { workers: 2, proxied: ['redis', 'postgres'] },
    load: { quick: { rate: 30, seconds: 12 }, long: { rate: 60, seconds: 60 } },
    drainSeconds: 150,
    break: async (run) => {
      const { world, length, at } = run
      await at(2)
      const ofRedis = world.proxies.redis?.forgetAll() ?? 0
      run.figure('forgotten, Redis', String(ofRedis))
      await at(length === 'quick' ? 6 : 25)
      // A fault of Redis alone makes no request ambiguous.
      const from = now()
      const ofPostgres = world.proxies.postgres?.forgetAll() ?? 0
      run.figure('forgotten, PostgreSQL', String(ofPostgres))
      forgotten.set(world, [ofRedis, ofPostgres])
      world.blur('forgotten connections to PostgreSQL', 2, from)
      run.mended()
    },
    check: ({ ledger, world, mendedAt }) =>
      judgeRecovery(ledger.receipts, {
        mendedAt,
        limitMs: NOTICE_LIMIT_MS,
        forgotten: forgotten.get(world) ?? [],
      }),
  },
  {
    id: 'S17',
    name: 'the clock of one worker is an hour ahead, of another an hour behind',
    passes: 'each retry between 2 and 20 s after a 3 s step: neither a storm nor an hour of silence',
    world: {
      workers: 3,
      endpoints: ['first-500'],
      env: { WEBHOOK_RETRY_SCHEDULE: `${RETRY_SECONDS},3,3,3,3,3`, WEBHOOK_RETRY_JITTER: '0' },
      preloads: { 0: shifted(HOUR_MS), 1: shifted(-HOUR_MS) },
    },
    load: { quick: { rate: 30, seconds: 6 }, long: { rate: 60, seconds: 60 } },
    break: async (run) => {
      const before = await countCommands(run.world)
      await run.at(run.length === 'quick' ? 6 : 60)
      run.mended()
      const commands = (await countCommands(run.world)) - before
      run.figure('Redis commands/s', String(Math.round(commands / (run.length === 'quick' ? 6 : 60))))
    },
    check: ({ ledger, figure }) => judgeRetryTimes(ledger.receipts, RETRY_SECONDS, figure),
  },
  {
    id: 'S19',
    name: '100 ms each way and 5 % of the packets late by a retransmission: to Redis, then to PostgreSQL',
    passes: 'slower, and correct; no storm of lost locks',
    world: { workers: 2, proxied: ['redis', 'postgres'] },
    load: { quick: { rate: 10, seconds: 10 }, long: { rate: 30, seconds: 60 } },
    drainSeconds: 180,
    break: async (run) => {
      const { world, length, at } = run
      const { redis, postgres } = world.proxies
      if (redis === undefined || postgres === undefined) throw new Error('This scenario needs both proxies')
      await at(1)
      Object.assign(redis.fault, { delayMs: 100, loss: 0.05 })
      await at(length === 'quick' ? 5 : 30)
      redis.mend()
      run.meet('packets late to or from Redis', redis.harmed())
      Object.assign(postgres.fault, { delayMs: 100, loss: 0.05 })
      await at(length === 'quick' ? 10 : 60)
      postgres.mend()
      run.meet('packets late to or from PostgreSQL', postgres.harmed())
      run.mended()
    },
    check: async ({ world, met, figure }) => [
      ...judgeMet(met, figure),
      ...judgeLocks(readWorkerLogs(world), (await readAttempts(world)).length, figure),
    ],
  },
]

async function countCommands(world: World): Promise<number> {
  if ('nodes' in world.redis) return Number.NaN
  return Number(/total_commands_processed:(\d+)/.exec(await world.redis.info('stats'))?.[1])
}
