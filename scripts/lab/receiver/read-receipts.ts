import type { Receipt } from './receipt.ts'

/** Moments, milliseconds since the epoch. */
export interface Span {
  from: number
  until: number
}

/** The longest pause between successive requests, in milliseconds, including the span's ends. */
export function longestGap(receipts: ReadonlyArray<Pick<Receipt, 'at'>>, { from, until }: Span): number {
  const moments = receipts.map(({ at }) => at).filter((at) => at > from && at < until)
  const inOrder = [from, ...moments.toSorted((one, other) => one - other), until]
  return Math.max(...inOrder.slice(1).map((at, index) => at - (inOrder[index] ?? at)))
}

/** The time from each lead's intended moment until the endpoint first had it, for leads of the span. */
export function latencies(
  receipts: ReadonlyArray<Pick<Receipt, 'deliveryId' | 'intended' | 'at'>>,
  { from, until }: Span,
): number[] {
  const first = new Map<string, number>()
  for (const { deliveryId, intended, at } of receipts) {
    if (intended === null || intended < from || intended > until) continue
    first.set(deliveryId, Math.min(first.get(deliveryId) ?? Infinity, at - intended))
  }
  return [...first.values()]
}
