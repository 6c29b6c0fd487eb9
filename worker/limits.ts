/**
 * Failures that an event or delivery may have for a reason of its own, which the next try would meet again; then it ends as a dead
 * letter or failed event. With its pauses (queues/run-stage.ts) that is about 8 s after its first failure. Counted in PostgreSQL, so
 * that neither a crash nor a flush of Redis begins anew. Whatever else fails (PostgreSQL, Redis, the process) is repeated for as long as it lasts.
 */
export const MOST_OWN_FAILURES = 5

/** Two statements at a time, so that one gathers while the other runs; a hundred are a few milliseconds of PostgreSQL's time. */
export const GATHERING = { maxSize: 100, parallel: 2 }
