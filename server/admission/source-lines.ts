import { AppError } from '#core/errors.ts'
import { limitParallelEach } from '#core/pace/limit-parallel-each.ts'
import { createBuckets } from '#core/fairness/buckets.ts'
import { SOURCES } from './limits.ts'
import { createOthersAbout } from '#core/fairness/others-about.ts'

/**
 * Single leads of a source that brings more than is in measure while another source is about: of these few are stored at a time, and
 * the others in their order. A program that posts over many connections, as fast as it is answered, slows itself. With no other source
 * about they come as they come, and are stored together.
 * @param now a clock in milliseconds that never goes back
 * @returns stores a lead of this source; throws AppError rate_limited while too many of its wait
 */
export function createSourceLines(
  now: () => number,
): <Result>(source: string, store: () => Promise<Result>) => Promise<Result> {
  const take = createBuckets(SOURCES, now)
  const others = createOthersAbout(SOURCES.aboutMs, now)
  const inLine = limitParallelEach(SOURCES.together, SOURCES.longestLine, () => {
    const detail = 'Too many leads of this source are waiting. Send this one again.'
    return new AppError('rate_limited', detail, { retryAfterSeconds: 1 })
  })
  return async (source, store) => {
    others.note(source)
    const isInMeasure = take(source, 1) >= 0
    return isInMeasure || !others.areAbout(source) ? await store() : await inLine(source, store)
  }
}
