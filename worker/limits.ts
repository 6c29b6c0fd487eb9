import { DISPATCH } from '#core/fairness/limits.ts'
import type { GatheringPace } from '#core/concurrency/batch.ts'

/**
 * Number of failures that an event or delivery may have for a reason of its own, which the next try would meet again.
 * After them it becomes a dead letter or failed event, about 8 s after the first failure with the pauses of
 * queues/run-stage.ts. They are counted in PostgreSQL, so that neither a crash nor a flush of Redis resets the count.
 * After any other failure (PostgreSQL, Redis, the process) it is tried again without limit.
 */
export const MOST_OWN_FAILURES = 5

/**
 * Two statements run at a time, so that one gathers while the other runs. A hundred items take PostgreSQL a few
 * milliseconds.
 */
export const GATHERING = { maxSize: 100, parallel: 2 }

/**
 * Answers gather for up to 50 ms before they are written (docs/decisions/0038-answers-are-written-together.md). Once as
 * many wait as a worker may have open beyond its slots, they are written without waiting, because the worker claims
 * nothing until then.
 * @param slots of this worker (WEBHOOK_CONCURRENCY)
 */
export function paceOfRecords(slots: number): GatheringPace {
  const open = Math.ceil(slots * (DISPATCH.mostOpen - 1))
  return { apartMs: 50, enough: Math.min(50, open), busy: { items: 2, withinMs: 100 } }
}
