/**
 * So often an event or delivery may fail for a reason of its own, which the next try would meet again; then it ends where it can
 * be seen. With the pauses below that is about 8 s after its first failure. Counted in PostgreSQL, so that neither a crash nor
 * a flush of Redis begins anew. Whatever else fails (PostgreSQL, Redis, the process) is repeated for as long as it lasts.
 */
export const MOST_OWN_FAILURES = 5
