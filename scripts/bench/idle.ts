import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { now } from '../lab/now.ts'
import { readCpuTimes, type CpuTimes } from './cpu.ts'
import { nameProgram, table, tellFigure } from './report.ts'
import type { BenchContext } from './services.ts'
import { setUpClients } from './set-up-clients.ts'
import { startPrograms } from './start-programs.ts'

/** The cost of a second in which nothing happens. */
export interface IdleResult {
  seconds: number
  /** microseconds of processor time a second, by program */
  cpu: CpuTimes
  /** a second; PostgreSQL counts them up to a second late */
  transactions: number
  /** a second, including commands called by scripts */
  redisCommands: number
}

interface Counts {
  cpu: CpuTimes
  transactions: number
  redisCommands: number
  at: number
}

/** Measures server and worker with one client and its webhook, and no lead. */
export async function measureIdle(
  context: BenchContext,
  { warmUpSeconds, seconds }: { warmUpSeconds: number; seconds: number },
): Promise<IdleResult> {
  const { server, workers, stop } = await startPrograms(context, 1)
  try {
    await setUpClients(server.url, [[`${context.receiver.url}/leads`]])
    // Lets the work of a start finish: caches fill, and the database writes its pages.
    await sleep(warmUpSeconds * 1000)
    const pids = { server: server.pid(), worker: workers[0]?.pid() ?? 0 }
    const before = await count(context, pids)
    await sleep(seconds * 1000)
    const after = await count(context, pids)
    const measured = (after.at - before.at) / 1000
    const aSecond = (of: (counts: Counts) => number): number => (of(after) - of(before)) / measured
    const programs = Object.keys(after.cpu).filter((program) => program !== 'receiver')
    return {
      seconds: measured,
      cpu: Object.fromEntries(
        programs.map((program) => [program, aSecond(({ cpu }) => cpu[program] ?? Number.NaN)]),
      ),
      transactions: aSecond(({ transactions }) => transactions),
      redisCommands: aSecond(({ redisCommands }) => redisCommands),
    }
  } finally {
    await stop()
  }
}

async function count(context: BenchContext, pids: Readonly<Record<string, number>>): Promise<Counts> {
  const { rows } = await sql<{ transactions: number }>`
    select (xact_commit + xact_rollback)::float8 as transactions from pg_stat_database
    where datname = current_database()`.execute(context.db)
  const stats = await context.redis.info('stats')
  return {
    cpu: await readCpuTimes(context, pids),
    transactions: rows[0]?.transactions ?? Number.NaN,
    redisCommands: Number(/total_commands_processed:(\d+)/.exec(stats)?.[1]),
    at: now(),
  }
}

/** Milliseconds of processor time in a second. */
export function idleTable({ cpu, transactions, redisCommands }: IdleResult): string {
  const all = Object.values(cpu).reduce((sum, us) => sum + us, 0)
  return table([
    [
      'ms of processor time a second',
      ...Object.keys(cpu).map(nameProgram),
      'all',
      'PostgreSQL: transactions a second',
      'Redis: commands a second',
    ],
    [
      'idle',
      ...[...Object.values(cpu), all].map((us) => tellFigure(us / 1000, 1)),
      tellFigure(transactions, 1),
      tellFigure(redisCommands, 1),
    ],
  ])
}
