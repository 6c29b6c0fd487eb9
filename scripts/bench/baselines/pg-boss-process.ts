import { PgBoss } from 'pg-boss'
import { loadConfig } from '#core/config/config.ts'
import { chooseWork, type LoopJob } from './choose-work.ts'
import { waitToBegin } from './wait-to-begin.ts'

const BATCH = 50

/**
 * pg-boss tuned as its documentation says: batches, several fetchers, and no pause while batches come back
 * full. One statement completes a batch when its last job is done. Begins at SIGUSR2.
 */
const config = loadConfig(process.env)
const work = chooseWork(config)
/**
 * Twice what the pipeline has in flight: a fetcher waits for the slowest job of its batch before it fetches
 * again.
 */
const fetchers = Math.ceil((2 * config.webhooks.concurrency) / BATCH)
const boss = new PgBoss({ connectionString: config.database.url, max: 10, schedule: false })
boss.on('error', (error) => {
  throw error
})
await boss.start()
await waitToBegin('pg-boss ready')
await boss.work<LoopJob>(
  process.env['BENCH_QUEUE'] ?? '',
  { batchSize: BATCH, localConcurrency: fetchers, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true },
  async (jobs) => {
    await Promise.all(jobs.map((job) => work(job.data)))
  },
)
