import type { PagePosition } from '#core/data/page.ts'
import type { KeptSpan, LogFilter } from './log-filter.ts'

const DAY_MS = 24 * 3600 * 1000
const WEEK_MS = 7 * DAY_MS
/** 1970 began on a Thursday; weeks of the log begin on Mondays. */
const FIRST_MONDAY_MS = 4 * DAY_MS
/**
 * The week in which a page begins and two before it. Weeks are made ahead, so for a first page one of them is in the
 * future.
 */
const NEAR_WEEKS = 3

/**
 * The span of time that a filter leaves of the kept time, as values, so that weeks outside it are not even planned for.
 * A further page begins where the last one ended.
 */
export function askedSpan(filter: LogFilter, after: PagePosition | undefined): KeptSpan | undefined {
  const { kept, from, to } = filter
  if (kept === undefined) return undefined
  const ends = [kept.until.getTime()]
  if (to !== undefined) ends.push(to.getTime())
  // A Date has no microseconds: rows of the position's own millisecond still have to be read.
  if (after !== undefined) ends.push(Date.parse(after.at) + 1)
  return {
    since: new Date(Math.max(kept.since.getTime(), from?.getTime() ?? -Infinity)),
    until: new Date(Math.min(...ends)),
  }
}

/** The newest weeks of a span; undefined if they are all of it. */
export function nearSpan({ since, until }: KeptSpan): KeptSpan | undefined {
  const last = until.getTime() - 1
  const monday = last - ((((last - FIRST_MONDAY_MS) % WEEK_MS) + WEEK_MS) % WEEK_MS)
  const near = new Date(monday - (NEAR_WEEKS - 1) * WEEK_MS)
  return near > since ? { since: near, until } : undefined
}
