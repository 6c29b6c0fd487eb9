type Funding = 'available' | 'limited' | 'out'

const RANKS: Record<Funding, number> = { available: 0, limited: 1, out: 2 }

/** What a client is told where his funds stand worse than he was told last: once for each line that they cross, and nothing of the way up. */
export function judgeNotice(told: Funding, now: Funding): 'low_balance' | 'out_of_funds' | undefined {
  if (RANKS[now] <= RANKS[told]) return undefined
  return now === 'out' ? 'out_of_funds' : 'low_balance'
}
