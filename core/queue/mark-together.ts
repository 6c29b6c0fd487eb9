import type { Db } from '../data/database.ts'
import { markEnqueued } from '../data/outbox/events.ts'
import { failpoint } from '../failpoints.ts'
import type { Logger } from '../telemetry/logger.ts'

/**
 * Milliseconds until events are marked: well before the relay looks for unmarked events (2 s), and after most are
 * planned, which marks them as well.
 */
const MARK_AFTER_MS = 500

/** Marks events as enqueued, many with one statement. */
export interface Marker {
  /** Adds events that are marked slightly later, or with the next `mark`. */
  add: (ids: readonly string[]) => void
  /** Marks the events that were added so far. Never throws: an unmarked event is enqueued again under the same job id. */
  mark: () => Promise<void>
}

export function createMarker(db: Db, logger: Logger): Marker {
  const unmarked: string[] = []
  let timer: NodeJS.Timeout | undefined
  let marking = Promise.resolve()

  function mark(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    marking = marking.then(markAll)
    return marking
  }

  async function markAll(): Promise<void> {
    const ids = unmarked.splice(0)
    try {
      await failpoint('before-mark')
      await markEnqueued(db, ids)
    } catch (error) {
      logger.warn({ err: error, count: ids.length }, 'events enqueued but not marked; the relay repeats them')
    }
  }

  return {
    add: (ids) => {
      unmarked.push(...ids)
      timer ??= setTimeout(() => void mark(), MARK_AFTER_MS)
    },
    mark,
  }
}
