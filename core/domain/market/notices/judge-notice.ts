type Funding = 'available' | 'limited' | 'out'

const RANKS: Record<Funding, number> = { available: 0, limited: 1, out: 2 }

/**
 * The notice to a client whose funds are worse than the last notice said: one for each line crossed downwards, none for
 * a rise.
 */
export function judgeNotice(told: Funding, now: Funding): 'low_balance' | 'out_of_funds' | undefined {
  if (RANKS[now] <= RANKS[told]) return undefined
  return now === 'out' ? 'out_of_funds' : 'low_balance'
}
