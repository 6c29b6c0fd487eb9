import { createActivityWatch } from '#core/fairness/watch-activity.ts'
import { LINES, SOURCES } from './limits.ts'
import { createLine, createMeasure } from './line.ts'

/** Stores a lead of this source; throws AppError rate_limited while too many of its leads wait. */
export type InSourceLine = <Result>(source: string, store: () => Promise<Result>) => Promise<Result>

/**
 * Single leads of a source that brings more than is in measure while another source is about: of these few are stored at a time, and
 * the others in their order. A program that posts over many connections, as fast as it is answered, slows itself. With no other source
 * about they come as they come, and are stored together.
 * @param now a clock in milliseconds that never goes back
 */
export function createSourceLines(now: () => number): InSourceLine {
  const isInMeasure = createMeasure(SOURCES, now)
  const others = createActivityWatch(LINES.activeMs, now)
  const inLine = createLine(
    SOURCES.togetherBeyond,
    'Too many leads of this source are waiting. Send this one again.',
  )
  return async (source, store) => {
    others.note(source)
    return isInMeasure(source, 1) || !others.othersActive(source)
      ? await store()
      : await inLine(source, store)
  }
}
