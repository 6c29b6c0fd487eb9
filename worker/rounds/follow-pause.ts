import { findPaused } from '#core/queue/find-runnable.ts'
import { DELIVERIES_QUEUE } from '#core/queue/queues.ts'
import type { WorkerContext } from '../context.ts'
import type { Rounds } from './open-rounds.ts'

/**
 * An administrator who pauses the queue stops what it rings for, too; that of the first shard counts for all. While Redis does not
 * say, it is as it was.
 */
export async function followPause(
  { config, redis }: Pick<WorkerContext, 'config' | 'redis'>,
  rounds: Pick<Rounds, 'pause'>,
): Promise<void> {
  if (redis.status !== 'ready') return
  const paused = await findPaused(redis, config.redis, [DELIVERIES_QUEUE]).catch(() => undefined)
  if (paused !== undefined) rounds.pause(paused.has(DELIVERIES_QUEUE))
}
