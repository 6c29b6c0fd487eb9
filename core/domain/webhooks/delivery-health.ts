/**
 * Deliveries of a span of time, counted by how long they took, in milliseconds to about 3 %; null for those that have
 * not been delivered. Resends and cancelled ones are left out.
 */
export interface DeliverySum {
  ms: number | null
  deliveries: number
  /** those of them that the first attempt delivered */
  first: number
}

/** Figures of a span (docs/product.md §2, Overview); rates and times are null without anything to judge. */
export interface DeliveryHealth {
  deliveries: number
  /** the share that the first attempt delivered, 0 to 1 */
  first_attempt_rate: number | null
  /** half, and 95 %, of the delivered ones took at most this long, to about 3 % */
  median_ms: number | null
  p95_ms: number | null
}

export function judgeDeliveryHealth(sums: readonly DeliverySum[]): DeliveryHealth {
  const deliveries = sums.reduce((all, sum) => all + sum.deliveries, 0)
  const first = sums.reduce((all, sum) => all + sum.first, 0)
  return {
    deliveries,
    first_attempt_rate: deliveries === 0 ? null : first / deliveries,
    median_ms: findLength(sums, 0.5),
    p95_ms: findLength(sums, 0.95),
  }
}

/** The length that this share of the delivered ones did not exceed. */
function findLength(sums: readonly DeliverySum[], share: number): number | null {
  const delivered = sums
    .flatMap(({ ms, deliveries }) => (ms === null ? [] : [{ ms, deliveries }]))
    .toSorted((a, b) => a.ms - b.ms)
  const wanted = share * delivered.reduce((all, { deliveries }) => all + deliveries, 0)
  let below = 0
  for (const { ms, deliveries } of delivered) {
    below += deliveries
    if (below >= wanted) return ms
  }
  return null
}
