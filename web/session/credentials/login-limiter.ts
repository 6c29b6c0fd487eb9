import type { Refusal } from '../auth-context.ts'

/** docs/product.md §9: 5 attempts, 15-minute window and block; the window resets after no attempts within it. */
const MOST_ATTEMPTS = 5
const WINDOW_MS = 15 * 60_000

/** Of the server's clock (web/session/server-clock.ts). */
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
  return Math.max(0, blockedUntil(state) - now)
}

/** When the block ends; before now where there is none. */
export function blockedUntil(state: LimiterState) {
  return state.failures < MOST_ATTEMPTS ? 0 : state.lastFailureAt + WINDOW_MS
}

export function blockedMessage(remainingMs: number) {
  return `Too many failed attempts. Please try again in ${Math.ceil(remainingMs / 60_000)} minutes.`
}

/** The refusal until then; whoever shows it counts down. */
export function describeBlock(until: number, now: number): Refusal {
  return { result: 'refused', message: blockedMessage(until - now), blockedUntil: until }
}
