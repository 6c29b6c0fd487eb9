import { Worker } from 'bullmq'
import { loadConfig } from '#core/config/config.ts'
import { openWorkerConnection, queuePrefix } from '#core/queue/redis.ts'
import { createPostAndLog } from './post-and-log.ts'

/** The yardstick: a BullMQ worker of the pipeline's concurrency that posts and logs. BENCH_QUEUE and those of post-and-log. */
const config = loadConfig(process.env)
const postAndLog = createPostAndLog(config)

const worker = new Worker<{ delivery_id: string }>(
  process.env['BENCH_QUEUE'] ?? '',
  (job) => postAndLog(job.data.delivery_id),
  {
    connection: openWorkerConnection(config.redis),
    prefix: queuePrefix(config.redis),
    concurrency: config.webhooks.concurrency,
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
