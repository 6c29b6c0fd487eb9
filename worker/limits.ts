import { DISPATCH } from '#core/fairness/limits.ts'
import type { GatheringPace } from '#core/pace/batch.ts'

/**
 * Failures that an event or delivery may have for a reason of its own, which the next try would meet again. After them it ends as a dead
 * letter or failed event, with the pauses (queues/run-stage.ts) about 8 s after the first failure. They are counted in PostgreSQL, so that
 * neither a crash nor a flush of Redis resets the count. Any other failure (PostgreSQL, Redis, the process) is repeated until it is over.
 */
export const MOST_OWN_FAILURES = 5

/** Two statements at a time, so that one gathers while the other runs; a hundred are a few milliseconds of PostgreSQL's time. */
export const GATHERING = { maxSize: 100, parallel: 2 }

/**
 * Answers gather for up to 50 ms before they are written (docs/decisions/0038-answers-are-written-together.md). As many as a worker may
 * have open beyond its slots never wait, because it claims nothing while they do.
 * @param slots of this worker (WEBHOOK_CONCURRENCY)
 */
export function paceOfRecords(slots: number): GatheringPace {
  const open = Math.ceil(slots * (DISPATCH.mostOpen - 1))
  return { apartMs: 50, enough: Math.min(50, open), busy: { items: 2, withinMs: 100 } }
}
