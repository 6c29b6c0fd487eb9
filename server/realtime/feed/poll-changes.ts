import { readMoment, readWritten } from '#core/data/realtime/read-written.ts'
import { createCommitWindow, type CommitWindow, type Since } from '#core/domain/realtime/commit-window.ts'
import { gatherChanges, type Batch, type GatherContext, type News } from './gather-changes.ts'
import type { Listeners } from './listeners.ts'
import type { RecentWriters } from '#server/http/recent-writers.ts'

/** Limit of the rows of one poll, and of those that wait to be told. Beyond it, listeners are told to read again. */
const MOST_ROWS = 20_000
/** The first poll reads what was written in the seconds before it, only to know it again. */
const MOST_AT_START = 100_000

/**
 * One poll reads which rows were written since the last, then the rows that somebody follows, and tells the listeners.
 * A poll that failed is made up for by the next one, which reads from the same snapshot.
 */
export function createPoll(
  context: GatherContext & { writers: RecentWriters | undefined },
  listeners: Listeners,
): () => Promise<void> {
  let window: CommitWindow | undefined
  /** rows that were read, but not told yet, because a later query failed */
  let untold: Batch | undefined
  /** changes were missed, and the feed began anew */
  let isBehind = false

  return async () => {
    const waiting = listeners.waiting()
    const isStart = window === undefined
    const own = window ?? createCommitWindow(await readMoment(context.db))
    const since = own.since()
    const most = isStart ? MOST_AT_START : MOST_ROWS
    const { reading, rows } = await readWritten(context.db, since, most)
    const isTooMuch = rows.length >= most || (untold?.news.length ?? 0) >= MOST_ROWS
    if (isTooMuch || !own.isFollowedBy(reading)) {
      window = undefined
      untold = undefined
      isBehind ||= !isStart
      return
    }
    const news = rows.flatMap((row): News[] => {
      const verdict = own.judge(row)
      return verdict === 'known' ? [] : [{ ...row, isFirst: verdict === 'first' }]
    })
    own.moveTo(reading)
    window = own
    if (isStart && isBehind) listeners.resync()
    isBehind &&= !isStart
    if (!isStart) untold = addTo(untold, news, since)
    if (untold !== undefined && untold.news.length > 0) {
      const changes = await gatherChanges(context, untold, listeners.isFollowed)
      untold = undefined
      await context.writers?.note([...new Set(changes.map(({ account_id }) => account_id))])
      listeners.tell(changes)
    }
    for (const listener of waiting) {
      listener.isLive = true
      listener.ready.resolve()
    }
  }
}

function addTo(untold: Batch | undefined, news: News[], { xmin, ended }: Since): Batch {
  if (untold === undefined) return { news, xmin, ended }
  return { ...untold, news: [...untold.news, ...news], ended: [...untold.ended, ...ended] }
}
