import { LRUCache } from 'lru-cache'

/**
 * Creates token buckets, one for each name: `atOnce` tokens at first, `perSecond` more each second. Taking more than
 * that makes a debt. Kept in this process, forgotten when it ends.
 * @param options.mostDebt limit of a debt, so that it ends in time
 * @param options.kept buckets remembered; a forgotten one begins full
 * @param now a clock in milliseconds that never goes back
 * @returns a function that takes tokens and returns what is left; below 0 is debt
 */
export function createBuckets(
  {
    atOnce,
    perSecond,
    kept,
    mostDebt = Infinity,
  }: {
    atOnce: number
    perSecond: number
    kept: number
    mostDebt?: number
  },
  now: () => number,
): (who: string, cost: number) => number {
  const balances = new LRUCache<string, { left: number; at: number }>({ max: kept })
  return (who, cost) => {
    const at = now()
    const known = balances.get(who) ?? { left: atOnce, at }
    const left = Math.min(atOnce, known.left + ((at - known.at) / 1000) * perSecond) - cost
    balances.set(who, { left: Math.max(left, -mostDebt), at })
    return left
  }
}
