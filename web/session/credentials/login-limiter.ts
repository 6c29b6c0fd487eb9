/** docs/product.md §9: 5 attempts, 15-minute window and block; the window resets after no attempts within it. */
const MOST_ATTEMPTS = 5
const WINDOW_MS = 15 * 60_000

export interface LimiterState {
  failures: number
  lastFailureAt: number
}

export const NO_FAILURES: LimiterState = { failures: 0, lastFailureAt: 0 }

export function recordFailure(state: LimiterState, now: number): LimiterState {
  const inWindow = now - state.lastFailureAt < WINDOW_MS
  return { failures: inWindow ? state.failures + 1 : 1, lastFailureAt: now }
}

/** Milliseconds until the block ends; 0 when there is none. */
export function blockRemaining(state: LimiterState, now: number) {
  if (state.failures < MOST_ATTEMPTS) return 0
  return Math.max(0, state.lastFailureAt + WINDOW_MS - now)
}

export function blockedMessage(remainingMs: number) {
  return `Too many failed attempts. Please try again in ${Math.ceil(remainingMs / 60_000)} minutes.`
}
