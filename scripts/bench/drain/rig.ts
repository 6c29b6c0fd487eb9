import { randomUUIDv7 } from 'node:crypto'
import { Queue } from 'bullmq'
import { sql } from 'kysely'
import { DISPATCH } from '#core/fairness/limits.ts'
import { PIPELINE } from '#core/pipeline.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { createSecretBox } from '#core/secrets/secret-box.ts'
import { startWorker } from '../../lab/start-product.ts'
import { graphileWorker } from '../baselines/graphile-worker.ts'
import { pgBoss } from '../baselines/pg-boss.ts'
import { startLoop } from '../baselines/start-loop.ts'
import type { Rig } from './drain-rig.ts'
import { prepareConfigurations, prepareDeliveries } from '../prepare.ts'
import type { BenchContext } from '../services.ts'

/**
 * `whole work`: the pipeline's stages run on another queue and gather their statements as in the pipeline.
 * `one by one`: each job has its own statements. Otherwise a job only posts and logs.
 */
export type Subject =
  | 'bare loop'
  | 'bare loop, many ids a job'
  | 'bare loop, got'
  | 'pipeline'
  | 'graphile-worker'
  | 'graphile-worker, whole work'
  | 'graphile-worker, one by one'
  | 'pg-boss'
  | 'pg-boss, whole work'
  | 'pg-boss, one by one'

export function createRig(context: BenchContext, subject: Subject): Rig {
  switch (subject) {
    case 'pipeline':
      return pipeline(context)
    case 'bare loop':
      return bareLoop(context, { client: 'undici', ids: 1 })
    case 'bare loop, many ids a job':
      // The size of a claim batch while no other client is active.
      return bareLoop(context, { client: 'undici', ids: DISPATCH.mostInQuiet })
    case 'bare loop, got':
      return bareLoop(context, { client: 'got', ids: 1 })
    case 'graphile-worker':
      return graphileWorker(context, 'post-and-log')
    case 'graphile-worker, whole work':
      return graphileWorker(context, 'whole')
    case 'graphile-worker, one by one':
      return graphileWorker(context, 'one-by-one')
    case 'pg-boss':
      return pgBoss(context, 'post-and-log')
    case 'pg-boss, whole work':
      return pgBoss(context, 'whole')
    case 'pg-boss, one by one':
      return pgBoss(context, 'one-by-one')
  }
}

function pipeline(context: BenchContext): Rig {
  const { config, db, redis, receiver, env, manner } = context
  const queues = PIPELINE.sendDelivery.queues.map(
    (name) => new Queue(name, { connection: redis, prefix: queuePrefix(config.redis) }),
  )
  return {
    fill: async (count) => {
      for (const queue of queues) await queue.pause()
      const owner = await prepareConfigurations(db, createSecretBox(config.secretsKey ?? ''), receiver.url)
      await prepareDeliveries(db, owner, count)
      await sql`vacuum analyze leads, events, webhook_deliveries, client_webhook_configs`.execute(db)
    },
    start: () => startWorker(env, manner),
    begin: async () => {
      await Promise.all(queues.map((queue) => queue.resume()))
    },
    countOpen: async () => {
      const { rows } = await sql<{ open: number }>`
        select count(*)::int as open from webhook_deliveries where state <> 'delivered'`.execute(db)
      return rows[0]?.open ?? 0
    },
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close()))
    },
  }
}

const BARE_QUEUE = 'bench-bare-loop'

/** @param ids deliveries of one job */
function bareLoop(context: BenchContext, { client, ids }: { client: 'undici' | 'got'; ids: number }): Rig {
  const { config, redis } = context
  const queue = new Queue(BARE_QUEUE, { connection: redis, prefix: queuePrefix(config.redis) })
  return {
    fill: async (count) => {
      await queue.pause()
      const jobs = Array.from({ length: Math.ceil(count / ids) }, (_job, index) => ({
        name: 'deliver',
        data: {
          delivery_ids: Array.from({ length: Math.min(ids, count - index * ids) }, () => randomUUIDv7()),
        },
        opts: { removeOnComplete: true },
      }))
      for (let at = 0; at < jobs.length; at += 500) await queue.addBulk(jobs.slice(at, at + 500))
    },
    start: () =>
      startLoop(context, 'scripts/bench/drain/bare-loop.ts', 'bare loop ready', {
        BENCH_QUEUE: BARE_QUEUE,
        BENCH_CLIENT: client,
        BENCH_IDS: String(ids),
      }),
    begin: () => queue.resume(),
    countOpen: async () => 0,
    close: () => queue.close(),
  }
}
