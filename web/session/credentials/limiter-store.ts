import { NO_FAILURES, type LimiterState } from './login-limiter.ts'

const KEY = 'leadwire.login-limiter'

/** Reads the limiter from session storage, so that a reload does not lift the block. */
export function readLimiter(): LimiterState {
  const kept = sessionStorage.getItem(KEY)?.split(':').map(Number)
  const [failures = 0, lastFailureAt = 0] = kept ?? []
  return Number.isFinite(failures + lastFailureAt) ? { failures, lastFailureAt } : NO_FAILURES
}

export function writeLimiter(state: LimiterState) {
  sessionStorage.setItem(KEY, `${state.failures}:${state.lastFailureAt}`)
}
