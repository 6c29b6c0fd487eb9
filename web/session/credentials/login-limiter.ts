import type { Refusal } from '../auth-context.ts'

/**
 * 5 attempts, 15-minute window and block; the window resets after no attempts within it (docs/product.md §9).
 */
const MOST_ATTEMPTS = 5
const WINDOW_MS = 15 * 60_000

/** Times are those of the server's clock (web/session/server-clock.ts). */
export interface LimiterState {
  failures: number
  lastFailureAt: number
}

export const NO_FAILURES: LimiterState = { failures: 0, lastFailureAt: 0 }

export function recordFailure(state: LimiterState, now: number): LimiterState {
  const inWindow = now - state.lastFailureAt < WINDOW_MS
  return { failures: inWindow ? state.failures + 1 : 1, lastFailureAt: now }
}

/** Time at which the block ends; in the past without a block. */
export function blockedUntil(state: LimiterState) {
  return state.failures < MOST_ATTEMPTS ? 0 : state.lastFailureAt + WINDOW_MS
}

export function blockedMessage(remainingMs: number) {
  return `Too many failed attempts. Please try again in ${Math.ceil(remainingMs / 60_000)} minutes.`
}

/** Describes the block until its end; the screen counts down. */
export function describeBlock(until: number, now: number): Refusal {
  return { result: 'refused', message: blockedMessage(until - now), blockedUntil: until }
}
