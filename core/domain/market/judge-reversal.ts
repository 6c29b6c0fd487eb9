/** What the payment provider tells of money that went back; amounts in cents. */
export interface Reversal {
  state: 'warned' | 'open' | 'lost' | 'won' | 'paid_back'
  amount: number
}

/** A dispute only goes on: what is told late says nothing new. */
const RANKS: Record<Reversal['state'], number> = { warned: 0, open: 1, lost: 2, won: 3, paid_back: 0 }

/**
 * What is known of a reversal after one more was told, in whatever order it comes: of a dispute the furthest state, of what was paid
 * back, which is told as a sum, the largest.
 */
export function mergeReversal(known: Reversal, told: Reversal): Reversal {
  if (told.state === 'paid_back') return { ...told, amount: Math.max(known.amount, told.amount) }
  return RANKS[told.state] >= RANKS[known.state] ? told : known
}

/** What of it belongs off the balance: a dispute that was won is as if it had never been. In cents. */
export function dueOfReversal({ state, amount }: Reversal): number {
  return state === 'warned' || state === 'won' ? 0 : amount
}
