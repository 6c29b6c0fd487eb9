/** A balance and the limits by which it is judged, in cents. */
export interface Funds {
  balance: number
  /** the client is notified when the balance falls below this */
  threshold: number
  /** the lowest price that one of the client's orders may pay for a lead; null without an order */
  cheapest: number | null
}

/** Out: the balance pays for no lead. Limited: it is below the client's own threshold (docs/product.md §4). */
export function judgeFunding({ balance, threshold, cheapest }: Funds): 'available' | 'limited' | 'out' {
  if (balance < Math.max(cheapest ?? 0, 1)) return 'out'
  return balance < threshold ? 'limited' : 'available'
}
