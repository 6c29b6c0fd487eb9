import { Queue } from 'bullmq'
import { PIPELINE } from '#core/pipeline.ts'
import { prefixOfQueue } from '#core/queue/redis.ts'
import { listShards, spreadQueues } from '#core/queue/shards.ts'
import type { QueueRow } from './ledger.ts'
import type { Ground } from './ground.ts'

export function nameQueues({ config }: Pick<Ground, 'config'>): string[] {
  const queues = Object.values(PIPELINE).flatMap((stage): readonly string[] => stage.queues)
  return spreadQueues(queues, listShards(config.redis.shards))
}

const OPEN_STATES = ['wait', 'prioritized', 'waiting-children', 'active', 'delayed'] as const

/** The number of jobs that still have to run, in all queues; faster than {@link readQueues}. */
export async function countOpenJobs(ground: Ground): Promise<number> {
  return await withQueues(ground, async (queues) => {
    const counts = await Promise.all(queues.map((queue) => queue.getJobCounts(...OPEN_STATES)))
    return counts.flatMap((count) => Object.values(count)).reduce((sum, jobs) => sum + jobs, 0)
  })
}

/** The contents of each queue, and jobs that are in no list: those would block their ids for ever. */
export async function readQueues(ground: Ground): Promise<QueueRow[]> {
  return await withQueues(ground, (queues) =>
    Promise.all(
      queues.map(async (queue) => {
        const counts = await queue.getJobCounts(...OPEN_STATES, 'failed')
        const of = (...states: readonly string[]): number =>
          states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
        return {
          queue: queue.name,
          waiting: of('wait', 'prioritized', 'waiting-children'),
          active: of('active'),
          delayed: of('delayed'),
          failed: of('failed'),
          orphans: await countOrphans(ground, queue),
        }
      }),
    ),
  )
}

async function countOrphans(ground: Ground, queue: Queue): Promise<number> {
  let orphans = 0
  for (const id of await findJobIds(ground, queue)) {
    // Checked twice, because a job may end between the read of the keys and the read of the lists.
    if ((await queue.getJobState(id)) !== 'unknown') continue
    const isThere = (await queue.getJob(id)) !== undefined
    if (isThere && (await queue.getJobState(id)) === 'unknown') orphans += 1
  }
  return orphans
}

/** Ids of existing jobs in any state; of thousands, only the most recent. */
async function findJobIds(ground: Ground, queue: Queue): Promise<string[]> {
  const before = queue.toKey('')
  const nodes = 'nodes' in ground.redis ? ground.redis.nodes('master') : [ground.redis]
  const ids: string[] = []
  for (const node of nodes) {
    for await (const keys of node.scanStream({ match: `${before}*-*`, count: 1000, type: 'hash' }))
      ids.push(...(keys as string[]).map((key) => key.slice(before.length)))
  }
  return ids.filter((id) => /^(evt|dlv)-[^:]+$/.test(id))
}

async function withQueues<Result>(
  ground: Ground,
  work: (queues: Queue[]) => Promise<Result>,
): Promise<Result> {
  const queues = nameQueues(ground).map((name) => {
    const queue = new Queue(name, {
      connection: ground.redis,
      prefix: prefixOfQueue(ground.config.redis, name),
      skipVersionCheck: true,
    })
    queue.on('error', () => undefined)
    return queue
  })
  try {
    return await work(queues)
  } finally {
    await Promise.all(queues.map((queue) => queue.close()))
  }
}
