import { createActivityWatch } from '#core/fairness/watch-activity.ts'
import { QUEUES, SOURCES } from './limits.ts'
import { createRequestQueue, createTokenBuckets } from './request-queue.ts'

/** Stores a lead of this source; throws AppError rate_limited while too many of its leads wait. */
export type InSourceQueue = <Result>(source: string, store: () => Promise<Result>) => Promise<Result>

/**
 * While another source is active, a source beyond its token bucket has only a few single leads stored at a
 * time, and its others wait in order. So a program that posts over many connections, as fast as it is
 * answered, slows only itself. While no other source is active, nothing waits and the leads are stored
 * together.
 * @param now a clock in milliseconds that never goes back
 */
export function createSourceQueues(now: () => number): InSourceQueue {
  const takeTokens = createTokenBuckets(SOURCES, now)
  const others = createActivityWatch(QUEUES.activeMs, now)
  const inQueue = createRequestQueue(
    SOURCES.togetherBeyond,
    'Too many leads of this source are waiting. Send this one again.',
  )
  return async (source, store) => {
    others.note(source)
    return takeTokens(source, 1) || !others.othersActive(source)
      ? await store()
      : await inQueue(source, store)
  }
}
