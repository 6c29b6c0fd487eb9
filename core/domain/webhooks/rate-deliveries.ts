import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'

/**
 * Counts of an endpoint's last 24 hours, or of several endpoints' together. `failed` counts attempts, all others
 * deliveries; `waiting` are those that are not finished, `tried` the ones of them that had an attempt.
 */
export type DeliveryDay = Pick<EndpointHealth['day'], 'delivered' | 'failed' | 'lost' | 'tried'> &
  Pick<EndpointHealth, 'waiting'>

/** Deliveries by what became of them; a resent one counts once, a cancelled one not at all. */
export type DeliveryCounts = Pick<DeliveryDay, 'delivered' | 'lost' | 'waiting'>

/**
 * Delivery success (docs/product.md §2, Figures): delivered ÷ all. It counts deliveries, not attempts, and one that
 * waits or is held has not been delivered. Null without any.
 */
export function rateDeliveries(counts: DeliveryCounts): number | null {
  const all = countDeliveries(counts)
  return all === 0 ? null : counts.delivered / all
}

/** The number of deliveries that {@link rateDeliveries} divides by. */
export function countDeliveries({ delivered, lost, waiting }: DeliveryCounts): number {
  return delivered + lost + waiting
}

/** Average number of attempts of a delivery that had any; null without any. */
export function countAttemptsEach({ delivered, failed, lost, tried }: DeliveryDay): number | null {
  const deliveries = delivered + lost + tried
  return deliveries === 0 ? null : (delivered + failed) / deliveries
}

/** The sums of several endpoints' days. */
export function addDays(days: readonly DeliveryDay[]): DeliveryDay {
  const sum = { delivered: 0, failed: 0, lost: 0, tried: 0, waiting: 0 }
  for (const day of days) {
    sum.delivered += day.delivered
    sum.failed += day.failed
    sum.lost += day.lost
    sum.tried += day.tried
    sum.waiting += day.waiting
  }
  return sum
}

/** The part that {@link rateDeliveries} needs of an endpoint's health. */
export function readDay({ day, waiting }: Pick<EndpointHealth, 'day' | 'waiting'>): DeliveryDay {
  return { ...day, waiting }
}
