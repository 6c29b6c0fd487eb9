/** Events that somebody may bring at once, and then each second, before he stands behind the others; a lead brings two. */
const AT_ONCE = 100
const PER_SECOND = 600
/** So many events of a burst make one round: after each, everybody else who bursts has his. */
const ROUND = 100
const KEPT = 10_000

/**
 * Says in whose turn something runs when many want more than there is. Whoever asks in measure gets 0, at once. The excess of
 * a burst gets 1, 2, 3, … by rounds of {@link ROUND}, so that two who burst share, and a short burst is through before a long
 * one. Only a hint for the order: kept in this process, forgotten when it ends.
 * @param now a clock in milliseconds that never goes back
 */
export function createTurns(now: () => number): (who: string) => number {
  const balances = new Map<string, { left: number; at: number }>()
  return (who) => {
    const at = now()
    const known = balances.get(who) ?? { left: AT_ONCE, at }
    const left = Math.min(AT_ONCE, known.left + ((at - known.at) / 1000) * PER_SECOND) - 1
    balances.delete(who)
    balances.set(who, { left, at })
    const [oldest] = balances.keys()
    if (balances.size > KEPT && oldest !== undefined) balances.delete(oldest)
    return left >= 0 ? 0 : Math.ceil(-left / ROUND)
  }
}
