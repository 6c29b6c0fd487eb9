/**
 * Milliseconds for which Redis is not asked after it failed: long enough to spare callers the wait, and short beside
 * the relay's period.
 */
const REST_MS = 3000

/**
 * A rest that begins with a failure. Until it is over, callers take the slow way at once (the outbox; the poll for due
 * deliveries).
 */
export interface Rest {
  isResting: () => boolean
  begin: () => void
}

/** @param now a clock in milliseconds that never goes back */
export function createRest(now: () => number = () => performance.now()): Rest {
  let until = -Infinity
  return {
    isResting: () => now() < until,
    begin: () => {
      until = now() + REST_MS
    },
  }
}
