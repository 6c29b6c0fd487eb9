const FIRST_MS = 500
const LONGEST_MS = 30_000
/** After this long without an end, the backoff begins again at its first step. */
const STEADY_MS = 60_000

/** The pause before something is started again: half a second, doubled each time, half a minute at most. */
export function createBackoff(now: () => number = () => performance.now()): () => number {
  let pauseMs = FIRST_MS
  let startedAt = now()
  return () => {
    if (now() - startedAt > STEADY_MS) pauseMs = FIRST_MS
    const next = pauseMs
    pauseMs = Math.min(pauseMs * 2, LONGEST_MS)
    startedAt = now() + next
    return next
  }
}
