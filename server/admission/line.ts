import { AppError } from '#core/errors.ts'
import { createBuckets } from '#core/fairness/buckets.ts'
import { limitParallelEach } from '#core/pace/limit-parallel-each.ts'
import { LINES } from './limits.ts'

/** A token bucket for each name. */
export interface Measure {
  atOnce: number
  perSecond: number
}

/** @returns takes what something costs, and answers whether its sender is still in measure */
export function createMeasure(
  { atOnce, perSecond }: Measure,
  now: () => number,
): (name: string, cost: number) => boolean {
  const mostDebt = LINES.longestDebtSeconds * perSecond
  const take = createBuckets({ atOnce, perSecond, mostDebt, kept: LINES.kept }, now)
  return (name, cost) => take(name, cost) >= 0
}

/**
 * Semaphores, one for each name, whose line is limited.
 * @param together how many of a name run at the same time
 * @param detail tells the caller whose line is full
 * @returns runs a task when there is room; throws AppError rate_limited where the line is full
 */
export function createLine(together: number, detail: string, retryAfterSeconds = 1) {
  return limitParallelEach(
    together,
    LINES.longest,
    () => new AppError('rate_limited', detail, { retryAfterSeconds }),
  )
}

/** The same for tasks that were let in before, and so are never refused. */
export function createInnerLine(together: number) {
  return limitParallelEach(together, Infinity, () => new Error('a line without an end is full'))
}
