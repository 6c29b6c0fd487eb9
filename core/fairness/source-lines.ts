import { AppError } from '../errors.ts'
import { limitParallelEach } from '../pace/limit-parallel-each.ts'
import { SOURCES } from './limits.ts'

/**
 * Single leads of a source, of which some are stored at a time while another source is about, and the others in their order: a program
 * that posts over many connections, as fast as it is answered, slows itself. With no other source about they come as they come, and
 * are stored together.
 * @param now a clock in milliseconds that never goes back
 * @returns stores a lead of this source; throws AppError rate_limited while too many of its wait
 */
export function createSourceLines(
  now: () => number,
): <Result>(source: string, store: () => Promise<Result>) => Promise<Result> {
  const inLine = limitParallelEach(SOURCES.together, SOURCES.longestLine, () => {
    const detail = 'Too many leads of this source are waiting. Send this one again.'
    return new AppError('rate_limited', detail, { retryAfterSeconds: 1 })
  })
  /** which source brought a lead last, and when another one did */
  let last = { source: '', at: -Infinity, otherAt: -Infinity }
  return async (source, store) => {
    const at = now()
    last = { source, at, otherAt: last.source === source ? last.otherAt : last.at }
    return at - last.otherAt <= SOURCES.aboutMs ? await inLine(source, store) : await store()
  }
}
