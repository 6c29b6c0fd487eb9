import { createBuckets } from './buckets.ts'
import { PRIORITY } from './limits.ts'

/**
 * Says in whose turn something runs when many want more than there is. Whoever asks in measure gets 0, at once. The excess of
 * a burst gets 1, 2, 3, … by rounds of a hundred, so that two who burst share, and a short burst is through before a long
 * one. Only a hint for the order: kept in this process, forgotten when it ends.
 * @param now a clock in milliseconds that never goes back
 * @returns asked with who it is, and how much he asks for
 */
export function createPriorities(now: () => number): (who: string, cost?: number) => number {
  const take = createBuckets(PRIORITY, now)
  return (who, cost = 1) => {
    const left = take(who, cost)
    return left >= 0 ? 0 : Math.ceil(-left / PRIORITY.round)
  }
}
