import { Logger, makeWorkerUtils } from 'graphile-worker'
import { sql } from 'kysely'
import type { Rig } from '../drain/drain-rig.ts'
import type { BenchContext } from '../services.ts'
import { countUndelivered, makeJobs, type Work } from './make-jobs.ts'
import { startLoop } from './start-loop.ts'

/**
 * graphile-worker on the pipeline's database. It deletes the row of a completed job, so the remaining rows
 * are open.
 */
export function graphileWorker(context: BenchContext, work: Work): Rig {
  return {
    fill: async (count) => {
      const utils = await makeWorkerUtils({
        connectionString: context.config.database.url,
        logger: new Logger(() => () => undefined),
      })
      await utils.migrate()
      const jobs = await makeJobs(context, work, count)
      for (let at = 0; at < count; at += 1000) {
        await utils.addJobs(jobs.slice(at, at + 1000).map((payload) => ({ identifier: 'deliver', payload })))
      }
      await utils.release()
      await sql`vacuum analyze graphile_worker._private_jobs`.execute(context.db)
    },
    start: () =>
      startLoop(context, 'scripts/bench/baselines/graphile-worker-process.ts', 'graphile-worker ready', {
        BENCH_WORK: work,
      }),
    begin: async (pids) => {
      for (const pid of pids) process.kill(pid, 'SIGUSR2')
    },
    countOpen: async () => {
      const { rows } = await sql<{ open: number }>`
        select count(*)::int as open from graphile_worker._private_jobs`.execute(context.db)
      return Math.max(rows[0]?.open ?? 0, await countUndelivered(context, work))
    },
    close: async () => undefined,
  }
}
