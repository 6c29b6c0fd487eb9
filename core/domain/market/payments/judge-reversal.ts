/** The payment provider's report of returned money; amounts in cents. */
export interface Reversal {
  state: 'warned' | 'open' | 'lost' | 'won' | 'paid_back'
  amount: number
  /** the provider's time of it, in milliseconds */
  at: number
}

/** A dispute only moves forward: a late report of an earlier state says nothing new. */
const RANKS: Record<Reversal['state'], number> = { warned: 0, open: 1, lost: 2, won: 3, paid_back: 0 }

/**
 * Adds one more report to a reversal, in whichever order the reports come. A dispute keeps its furthest state and its
 * newest amount. Refunds are reported as a sum, and the newest sum counts: of several within one second of the
 * provider's clock, the largest. A failed refund makes later sums smaller, even before its failure is reported.
 */
export function mergeReversal(known: Reversal, told: Reversal): Reversal {
  if (told.state === 'paid_back') {
    if (told.at !== known.at) return told.at > known.at ? told : known
    return told.amount > known.amount ? told : known
  }
  const { state } = RANKS[told.state] >= RANKS[known.state] ? told : known
  const { amount, at } = told.at >= known.at ? told : known
  return { state, amount, at }
}

/**
 * The part of it that is to be debited, in cents: nothing of a dispute that was won, and of a refund only what did not
 * fail.
 * @param failed sum of refunds that failed after that amount was reported
 */
export function dueOfReversal({ state, amount }: Pick<Reversal, 'state' | 'amount'>, failed = 0): number {
  return state === 'warned' || state === 'won' ? 0 : Math.max(0, amount - failed)
}

/**
 * The debit of each reversal of one payment, in cents, together never more than was credited. A debit stays as long as
 * it is due, and the remaining room goes to the first reversal that needs it.
 */
export function shareTaken(
  credited: number,
  reversals: readonly { due: number; taken: number }[],
): { taken: number[]; excess: number } {
  let room = credited
  const kept = reversals.map(({ due, taken }) => {
    const stays = Math.min(due, taken, room)
    room -= stays
    return stays
  })
  let excess = 0
  const taken = reversals.map(({ due }, index) => {
    const stays = kept[index] ?? 0
    const more = Math.min(due - stays, room)
    room -= more
    excess += due - stays - more
    return stays + more
  })
  return { taken, excess }
}
