import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import type { Rig } from '../drain/drain-rig.ts'
import type { BenchContext } from '../services.ts'
import { countUndelivered, makeJobs, type Work } from './make-jobs.ts'
import { startLoop } from './start-loop.ts'

const BOSS_QUEUE = 'bench-deliveries'

/** pg-boss on the pipeline's database. */
export function pgBoss(context: BenchContext, work: Work): Rig {
  return {
    fill: async (count) => {
      const boss = new PgBoss({
        connectionString: context.config.database.url,
        supervise: false,
        schedule: false,
      })
      boss.on('error', (error) => {
        throw error
      })
      await boss.start()
      // Completed jobs are kept for days, so each turn deletes those of the one before.
      await boss.deleteQueue(BOSS_QUEUE).catch(() => undefined)
      await boss.createQueue(BOSS_QUEUE)
      const jobs = await makeJobs(context, work, count)
      for (let at = 0; at < count; at += 1000) {
        await boss.insert(
          BOSS_QUEUE,
          jobs.slice(at, at + 1000).map((data) => ({ data })),
        )
      }
      await boss.stop({ graceful: false })
      await sql`vacuum analyze pgboss.job`.execute(context.db)
    },
    start: () =>
      startLoop(context, 'scripts/bench/baselines/pg-boss-process.ts', 'pg-boss ready', {
        BENCH_QUEUE: BOSS_QUEUE,
        BENCH_WORK: work,
      }),
    begin: async (pids) => {
      for (const pid of pids) process.kill(pid, 'SIGUSR2')
    },
    countOpen: async () => {
      const { rows } = await sql<{ open: number }>`
        select count(*)::int as open from pgboss.job where name = ${BOSS_QUEUE} and state <> 'completed'`.execute(
        context.db,
      )
      return Math.max(rows[0]?.open ?? 0, await countUndelivered(context, work))
    },
    close: async () => undefined,
  }
}
