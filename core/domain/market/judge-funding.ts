/** What a balance is good for; all amounts in cents. */
export interface Funds {
  balance: number
  /** below which the client wants to hear of it */
  threshold: number
  /** the least that one of the client's orders may pay for a lead; null without an order */
  cheapest: number | null
}

/** Out: no lead can be paid. Limited: below the client's own threshold (docs/product.md §4). */
export function judgeFunding({ balance, threshold, cheapest }: Funds): 'available' | 'limited' | 'out' {
  if (balance < Math.max(cheapest ?? 0, 1)) return 'out'
  return balance < threshold ? 'limited' : 'available'
}

/** Whole days that a balance lasts at the pace of the last ones. @param days over which that was spent; null: nothing was */
export function countDaysLeft(balance: number, spent: number, days: number): number | null {
  return spent <= 0 ? null : Math.floor((Math.max(balance, 0) * Math.max(days, 1)) / spent)
}
