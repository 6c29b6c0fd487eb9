import { createBuckets } from './buckets.ts'
import { PRIORITY } from './limits.ts'

/**
 * Gives each event its priority. Within its token bucket a sender gets 0, the highest. Beyond it a burst gets 1, 2, 3,
 * … for each hundred events, so that two bursts alternate, and a short burst ends before a long one. Kept in this
 * process and forgotten when it ends, because it decides only the order.
 * @param now a clock in milliseconds that never goes back
 * @returns a function to be called with the sender and the number of tokens
 */
export function createPriorities(now: () => number): (who: string, cost?: number) => number {
  const take = createBuckets(PRIORITY, now)
  return (who, cost = 1) => {
    const left = take(who, cost)
    return left >= 0 ? 0 : Math.ceil(-left / PRIORITY.round)
  }
}
