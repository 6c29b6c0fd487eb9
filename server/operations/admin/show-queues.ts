import { QUEUE_COUNTED, type QueueCounts, type Queues, type Tally } from '#core/contract/operations/queues.ts'
import { hostOf } from '#core/data/webhooks/endpoint-host.ts'
import { nameQueueProblems, type QueueSituation } from '#core/domain/webhooks/name-queue-problems.ts'
import { DELIVERIES_QUEUE } from '#core/queue/queues.ts'
import type { QueueState } from '#core/queue/read-queue-state.ts'
import { chooseShard, listShards, queueInShard } from '#core/queue/shards.ts'
import type { ServerContext } from '../../context.ts'
import type { QueueTallies } from '../queue-tallies.ts'

/**
 * The deliveries of each shard in each state, and what is wrong. The API, the administration and the queue
 * dashboard all show this.
 */
export async function showQueues({ config, operations }: ServerContext): Promise<Queues> {
  const [tallies, state] = await Promise.all([operations.queueCounter.read(), operations.readQueueState([])])
  return describeQueues(tallies, state, config.redis.shards)
}

/** @param state null while Redis is away */
export function describeQueues(
  tallies: QueueTallies,
  state: Pick<QueueState, 'workers' | 'is_paused'> | null,
  shards: number,
): Queues {
  const full = findFull(tallies)
  const oldest = findOldest(tallies)
  return {
    counted_at: tallies.counted_at.toISOString(),
    total: sumUp(tallies, full),
    shards: listShards(shards).map((shard) => ({
      queue: queueInShard(DELIVERIES_QUEUE, shard),
      counts: sumUp(takeShard(tallies, shard, shards), full),
    })),
    oldest_due_at: oldest?.toISOString() ?? null,
    workers: state?.workers ?? null,
    problems: nameQueueProblems({
      workers: state?.workers ?? null,
      is_paused: state?.is_paused ?? false,
      oldest_due_seconds: oldest === null ? null : (Date.now() - oldest.getTime()) / 1000,
      ...describeTrouble(tallies, full),
    }),
  }
}

/** Whether counting stopped at QUEUE_COUNTED, in all shards together. */
type Full = Readonly<Record<'due' | 'planned' | 'held' | 'failed' | 'completed', boolean>>

function findFull({ unfinished, dead, completed }: QueueTallies): Full {
  const isFull = (count: number): boolean => count > QUEUE_COUNTED
  return {
    due: isFull(sumOf(unfinished, (of) => of.waiting + of.active)),
    planned: isFull(sumOf(unfinished, (of) => of.planned)),
    held: isFull(sumOf(unfinished, (of) => of.held)),
    failed: isFull(sumOf(dead, (of) => of.failed)),
    completed: isFull(sumOf(completed, (of) => of.completed)),
  }
}

function takeShard(
  { unfinished, dead, completed, counted_at }: QueueTallies,
  shard: number,
  shards: number,
): QueueTallies {
  const isIn = (of: { client_user_id: string }): boolean => chooseShard(of.client_user_id, shards) === shard
  return {
    counted_at,
    unfinished: unfinished.filter(isIn),
    dead: dead.filter(isIn),
    completed: completed.filter(isIn),
  }
}

function sumUp({ unfinished, dead, completed }: QueueTallies, full: Full): QueueCounts {
  const tally = (count: number, isFull: boolean): Tally => ({
    count: Math.min(count, QUEUE_COUNTED),
    more: isFull && count > 0,
  })
  const held = sumOf(unfinished, (of) => of.held)
  return {
    waiting: tally(
      sumOf(unfinished, (of) => of.waiting),
      full.due,
    ),
    active: tally(
      sumOf(unfinished, (of) => of.active),
      full.due,
    ),
    delayed: tally(held + sumOf(unfinished, (of) => of.planned), full.planned || full.held),
    held: tally(held, full.held),
    failed: tally(
      sumOf(dead, (of) => of.failed),
      full.failed,
    ),
    completed: tally(
      sumOf(completed, (of) => of.completed),
      full.completed,
    ),
  }
}

function findOldest({ unfinished }: QueueTallies): Date | null {
  return unfinished.reduce<Date | null>(
    (first, { oldest_due: due }) => (due !== null && (first === null || due < first) ? due : first),
    null,
  )
}

function describeTrouble(
  { unfinished, dead }: QueueTallies,
  full: Full,
): Pick<QueueSituation, 'failing' | 'silent'> {
  const hosts = new Map<string, number>()
  const note = (url: string, count: number): void => {
    if (count > 0) hosts.set(hostOf(url), (hosts.get(hostOf(url)) ?? 0) + count)
  }
  for (const of of unfinished) note(of.endpoint_url, of.retrying)
  for (const of of dead) note(of.endpoint_url, of.failed_lately)
  const silent = unfinished.filter((of) => of.is_silent && of.held > 0)
  return {
    failing: { hosts: [...hosts], more: full.planned },
    silent: {
      hosts: silent.map((of) => hostOf(of.endpoint_url)),
      held: sumOf(silent, (of) => of.held),
      more: full.held,
    },
  }
}

const sumOf = <Item>(items: readonly Item[], count: (of: Item) => number): number =>
  items.reduce((sum, of) => sum + count(of), 0)
