import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { sql } from 'kysely'
import { openDeliveryQueues } from '#core/queue/publish-deliveries.ts'
import { DELIVERIES_QUEUE } from '#core/queue/queues.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { createSecretBox } from '#core/secrets.ts'
import { startChild } from './child.ts'
import { cpuPerItem, readCpuTimes, type CpuTimes } from './cpu.ts'
import { BARE_BODY, prepareConfigurations, prepareDeliveries } from './prepare.ts'
import { resetReceiver, waitForReceipts } from './receiver-client.ts'
import type { BenchContext } from './services.ts'

export type Subject = 'bare loop' | 'pipeline'

export interface DrainResult {
  subject: Subject
  /** by the receiver's clock, from the first to the last */
  perSecond: number
  /** microseconds of processor time for one delivery, by program */
  cpu: CpuTimes
  /** bytes of one body, on average */
  bytes: number
  /** not received, or received without a log row, or (pipeline) without its final state */
  lost: number
  repeated: number
}

const BARE_QUEUE = 'bench-bare-loop'
const QUIET_MS = 30_000

/** Fills a queue while it is paused, starts one worker, lets go, and measures until everything is received and recorded. */
export async function drain(context: BenchContext, subject: Subject, count: number): Promise<DrainResult> {
  const { config, db, redis, receiver } = context
  const name = subject === 'pipeline' ? DELIVERIES_QUEUE : BARE_QUEUE
  const queue = new Queue(name, { connection: redis, prefix: queuePrefix(config.redis) })
  await queue.pause()
  if (subject === 'pipeline') await fillPipeline(context, count)
  else await fillBareLoop(queue, count)
  // Each turn begins with an empty log and a checkpoint, so that none pays for what the one before wrote.
  await sql`truncate webhook_delivery_logs`.execute(db)
  await sql`checkpoint`.execute(db)
  await resetReceiver(receiver.url)
  const worker = await startSubject(subject, context)
  try {
    const before = await readCpuTimes(context, { worker: worker.pid })
    await queue.resume()
    const stats = await waitForReceipts(receiver.url, count, QUIET_MS)
    const unrecorded = await waitForRecords(context, subject, count)
    const after = await readCpuTimes(context, { worker: worker.pid })
    return {
      subject,
      perSecond: (stats.count - 1) / ((stats.last - stats.first) / 1000),
      cpu: cpuPerItem(before, after, count),
      bytes: Math.round(stats.bytes / stats.count),
      lost: Math.max(count - stats.distinct, unrecorded),
      repeated: stats.count - stats.distinct,
    }
  } finally {
    await worker.stop()
    await queue.close()
  }
}

async function fillPipeline(context: BenchContext, count: number): Promise<void> {
  const { config, db, redis, receiver } = context
  const owner = await prepareConfigurations(db, createSecretBox(config.secretsKey ?? ''), receiver.url)
  const due = await prepareDeliveries(db, owner, count)
  await sql`vacuum analyze leads, events, webhook_deliveries, client_webhook_configs`.execute(db)
  const queues = openDeliveryQueues({
    config,
    connection: redis,
    onError: (error) => {
      throw error
    },
  })
  await queues.add(due)
  await queues.close()
}

async function fillBareLoop(queue: Queue, count: number): Promise<void> {
  const jobs = Array.from({ length: count }, () => ({
    name: 'deliver',
    data: { delivery_id: randomUUIDv7() },
    opts: { removeOnComplete: true },
  }))
  for (let at = 0; at < count; at += 500) await queue.addBulk(jobs.slice(at, at + 500))
}

function startSubject(subject: Subject, context: BenchContext): ReturnType<typeof startChild> {
  if (subject === 'pipeline')
    return startChild('worker/main.ts', context.env, 'worker ready', context.profileFolder)
  const env = {
    ...context.env,
    BENCH_QUEUE: BARE_QUEUE,
    BENCH_RECEIVER: `${context.receiver.url}/leads/0`,
    BENCH_BODY: BARE_BODY,
  }
  return startChild('scripts/bench/bare-loop.ts', env, 'bare loop ready', context.profileFolder)
}

/** Answers how many of `count` were still without their record when nothing moved any more. */
async function waitForRecords(context: BenchContext, subject: Subject, count: number): Promise<number> {
  let before = -1
  let changedAt = performance.now()
  for (;;) {
    const { rows } = await sql<{ logged: number; open: number }>`
      select (select count(distinct delivery_id) from webhook_delivery_logs where delivery_status = 'delivered')::int as logged,
        (select count(*) from webhook_deliveries where state <> 'delivered')::int as open`.execute(context.db)
    const { logged = 0, open = 0 } = rows[0] ?? {}
    const missing = Math.max(count - logged, subject === 'pipeline' ? open : 0)
    if (missing === 0 || performance.now() - changedAt > QUIET_MS) return missing
    if (missing !== before) changedAt = performance.now()
    before = missing
    await sleep(100)
  }
}
