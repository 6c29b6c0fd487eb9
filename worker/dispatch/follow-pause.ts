import { isSendingPaused } from '#core/queue/find-runnable.ts'
import type { WorkerContext } from '../context.ts'
import type { Dispatcher } from './open-dispatcher.ts'

/**
 * Pausing the queue also pauses the deliveries for which it carries wake-ups. While Redis does not answer, its last
 * answer counts.
 */
export async function followPause(
  { config, redis }: Pick<WorkerContext, 'config' | 'redis'>,
  senders: readonly Pick<Dispatcher, 'pause'>[],
): Promise<void> {
  if (redis.status !== 'ready') return
  const isPaused = await isSendingPaused(redis, config.redis).catch(() => undefined)
  if (isPaused === undefined) return
  for (const sender of senders) sender.pause(isPaused)
}
