import { Worker } from 'bullmq'
import { loadConfig } from '#core/config/config.ts'
import { DISPATCH } from '#core/fairness/limits.ts'
import { limitParallel } from '#core/concurrency/limit-parallel.ts'
import { openWorkerConnection, queuePrefix } from '#core/queue/redis.ts'
import { createPostAndLog } from './post-and-log.ts'

/**
 * The yardstick: a BullMQ worker that posts and logs, with as many exchanges in flight as the pipeline. It
 * reads BENCH_QUEUE, the variables of post-and-log, and BENCH_IDS: the deliveries of a job. A job of many
 * ends with its slowest, so as many deliveries are open as the pipeline may have claimed.
 */
const config = loadConfig(process.env)
const { concurrency } = config.webhooks
const ids = Number(process.env['BENCH_IDS'])
const exchange = limitParallel(concurrency, Infinity, () => new Error('the line has no end'))
const postAndLog = createPostAndLog(config, exchange)

const worker = new Worker<{ delivery_ids: string[] }>(
  process.env['BENCH_QUEUE'] ?? '',
  async ({ data }) => {
    await Promise.all(data.delivery_ids.map((id) => postAndLog(id)))
  },
  {
    connection: openWorkerConnection(config.redis),
    prefix: queuePrefix(config.redis),
    concurrency: ids === 1 ? concurrency : Math.ceil((concurrency * DISPATCH.mostOpen) / ids),
    lockDuration: 15_000,
    stalledInterval: 5000,
    maxStalledCount: 10_000,
  },
)
worker.on('error', (error) => {
  throw error
})
await worker.waitUntilReady()
console.log('bare loop ready')
process.on('SIGTERM', () => process.exit(0))
