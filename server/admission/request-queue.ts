import { AppError } from '#core/errors.ts'
import { createBuckets } from '#core/fairness/buckets.ts'
import { limitParallelEach } from '#core/concurrency/limit-parallel-each.ts'
import { QUEUES } from './limits.ts'

/** The size of a token bucket. */
export interface Measure {
  atOnce: number
  perSecond: number
}

/**
 * Token buckets, one for each name.
 * @returns takes tokens, and answers whether the bucket had them
 */
export function createTokenBuckets(
  { atOnce, perSecond }: Measure,
  now: () => number,
): (name: string, cost: number) => boolean {
  const mostDebt = QUEUES.longestDebtSeconds * perSecond
  const take = createBuckets({ atOnce, perSecond, mostDebt, kept: QUEUES.kept }, now)
  return (name, cost) => take(name, cost) >= 0
}

/**
 * Request queues, one for each name: a semaphore, and a limited number of tasks that wait for it in order.
 * @param together tasks of one name that run at the same time
 * @param detail tells the caller which queue is full
 * @returns runs a task when there is room; throws AppError rate_limited when the queue is full
 */
export function createRequestQueue(together: number, detail: string, retryAfterSeconds = 1) {
  return limitParallelEach(
    together,
    QUEUES.longest,
    () => new AppError('rate_limited', detail, { retryAfterSeconds }),
  )
}

/**
 * Request queues like {@link createRequestQueue}, but without a limit on waiting tasks. They are for tasks that were
 * let in before and so are never refused.
 */
export function createEndlessQueue(together: number) {
  return limitParallelEach(together, Infinity, () => new Error('an endless queue is full'))
}
