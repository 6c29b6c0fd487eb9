import { createBuckets } from './buckets.ts'
import { PRIORITY } from './limits.ts'

/**
 * Gives each event its priority. Within its token bucket a sender gets 0, the highest. Beyond it a burst gets 1, 2, 3, … for each
 * hundred events, so that two bursts share, and a short burst is through before a long one. Kept in this process, forgotten when it
 * ends: it only orders.
 * @param now a clock in milliseconds that never goes back
 * @returns called with the sender and the number of tokens
 */
export function createPriorities(now: () => number): (who: string, cost?: number) => number {
  const take = createBuckets(PRIORITY, now)
  return (who, cost = 1) => {
    const left = take(who, cost)
    return left >= 0 ? 0 : Math.ceil(-left / PRIORITY.round)
  }
}
