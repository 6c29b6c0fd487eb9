import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Ledger } from '../ledger.ts'
import { readAttempts } from '../read-logs.ts'
import type { Run, Scenario } from '../scenario.ts'
import { now } from '../../lab/now.ts'
import type { World } from '../world.ts'

const HOUR_MS = 3600 * 1000
const RETRY_SECONDS = 3

const shifted = (shiftMs: number) =>
  ({ modules: ['shift-clock'], env: { CHAOS_CLOCK_SHIFT_MS: String(shiftMs) } }) as const

/** Clocks that are wrong, and lines that are long. */
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
      const from = now()
      await at(2)
      run.figure('forgotten, Redis', String(world.proxies.redis?.forgetAll() ?? 0))
      await at(length === 'quick' ? 6 : 25)
      run.figure('forgotten, PostgreSQL', String(world.proxies.postgres?.forgetAll() ?? 0))
      world.blur('forgotten connections', 2, from)
      run.mended()
    },
    check: ({ ledger, mendedAt }) => {
      const late = ledger.receipts.filter(({ at }) => at > mendedAt + 90_000).length
      return late > 0
        ? [`${late} lead(s) arrived more than 90 s after the last connection was forgotten`]
        : []
    },
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
    check: ({ ledger, figure }) => checkRetryTimes(ledger, figure),
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
      Object.assign(postgres.fault, { delayMs: 100, loss: 0.05 })
      await at(length === 'quick' ? 10 : 60)
      postgres.mend()
      run.mended()
    },
    check: ({ world, figure }) => checkLocks(world, figure),
  },
]

function checkRetryTimes(ledger: Ledger, figure: Run['figure']): string[] {
  const firsts = new Map(
    ledger.receipts.filter(({ attempt }) => attempt === 1).map((one) => [one.deliveryId, one.at]),
  )
  const waits = ledger.receipts
    .filter(({ attempt }) => attempt === 2)
    .map(({ deliveryId, at }) => (at - (firsts.get(deliveryId) ?? Number.NaN)) / 1000)
  const [shortest, longest] = [Math.min(...waits), Math.max(...waits)]
  figure('retries', String(waits.length))
  figure('shortest wait', `${shortest.toFixed(1)} s`)
  figure('longest wait', `${longest.toFixed(1)} s`)
  const faults: string[] = []
  // The database lets a claim be a second early.
  if (shortest < RETRY_SECONDS - 1.1) faults.push(`a retry came after ${shortest.toFixed(1)} s`)
  if (longest > 20) faults.push(`a retry came after ${longest.toFixed(1)} s`)
  return faults
}

async function countCommands(world: World): Promise<number> {
  if ('nodes' in world.redis) return Number.NaN
  return Number(/total_commands_processed:(\d+)/.exec(await world.redis.info('stats'))?.[1])
}

async function checkLocks(world: World, figure: Run['figure']): Promise<string[]> {
  const lost = world.workers
    .map((_worker, index) => readFileSync(path.join(world.folder, `worker-${index + 1}.log`), 'utf8'))
    .join('\n')
    .split('\n')
    .filter((line) => /could not renew lock|Missing lock/i.test(line)).length
  const attempts = (await readAttempts(world)).length
  figure('lost locks', String(lost))
  return lost > attempts / 10 ? [`${lost} lost locks in ${attempts} attempts`] : []
}
