import type { Db } from '#core/data/database.ts'
import type { WatchedQueues } from '#core/queue/open-watched-queues.ts'
import { queueInShard, shardOfQueue } from '#core/queue/shards.ts'
import { auditChange, type By } from '../../market/audit-change.ts'

/**
 * Pauses or resumes a queue in every shard: no worker starts its jobs, and nothing in it is lost. Pausing
 * `webhook-deliveries` stops all sending. The audit log is written first, because Redis is in no transaction; a repeat
 * is harmless.
 * @returns the queues of the shards; none if there is no such queue
 * @throws while Redis is away
 */
export async function pauseQueue(
  { db, queues }: { db: Db; queues: Pick<WatchedQueues, 'get'> },
  by: By,
  { queue: wanted, isPaused, note }: { queue: string; isPaused: boolean; note: string },
): Promise<string[]> {
  const opened = await queues.get()
  const those = opened.filter(({ name }) => name === queueInShard(wanted, shardOfQueue(name)))
  if (those.length === 0) return []
  const action = isPaused ? 'queue_paused' : 'queue_resumed'
  await auditChange(db, by, { action, details: { queue: wanted, note } })
  for (const queue of those) await (isPaused ? queue.pause() : queue.resume())
  return those.map(({ name }) => name)
}
