import { LRUCache } from 'lru-cache'

/**
 * What each may still take at once: so much at first, and so much more with each second. Whoever takes more than he has is in debt.
 * Kept in this process, forgotten when it ends.
 * @param options.mostDebt nobody gets deeper into it, so that he is out of it in time
 * @param options.kept so many are remembered; whoever is forgotten begins with all
 * @param now a clock in milliseconds that never goes back
 * @returns takes, and answers what is left; less than 0 is debt
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
