import { DISPATCH } from '#core/fairness/limits.ts'
import type { GatheringPace } from '#core/concurrency/batch.ts'

/**
 * An event or delivery that fails this often for a reason of its own is given up, as a failed event or dead letter.
 * With the pauses of queues/run-stage.ts that is about 8 s after the first failure. PostgreSQL keeps the count, so it
 * survives a crash and a flush of Redis. Other failures (PostgreSQL, Redis, the process) are repeated without limit.
 */
export const MOST_OWN_FAILURES = 5

/**
 * Two statements run at a time, so that one gathers while the other runs. A hundred items take PostgreSQL a few
 * milliseconds.
 */
export const GATHERING = { maxSize: 100, parallel: 2 }

/**
 * Answers gather for up to 50 ms before they are written (docs/decisions/0038-answers-are-written-together.md). When a
 * worker has as many open as it may, it claims nothing, so the answers are written at once.
 * @param slots of this worker (WEBHOOK_CONCURRENCY)
 */
export function paceOfRecords(slots: number): GatheringPace {
  const open = Math.ceil(slots * (DISPATCH.mostOpen - 1))
  return { apartMs: 50, enough: Math.min(50, open), busy: { items: 2, withinMs: 100 } }
}
