import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'

/**
 * Counts of an endpoint's last 24 hours, or of several endpoints' together. `failed` counts attempts, all others
 * deliveries.
 */
export type DeliveryDay = Pick<EndpointHealth['day'], 'delivered' | 'failed' | 'lost' | 'tried'>

/**
 * The rate counts deliveries, not attempts: a delivery that arrived with its third attempt is delivered. Null while
 * none has ended.
 */
export function rateDeliveries({ delivered, lost }: Pick<DeliveryDay, 'delivered' | 'lost'>): number | null {
  return delivered + lost === 0 ? null : delivered / (delivered + lost)
}

/** Average number of attempts of a delivery, unfinished ones included; null without any. */
export function countAttemptsEach({ delivered, failed, lost, tried }: DeliveryDay): number | null {
  const deliveries = delivered + lost + tried
  return deliveries === 0 ? null : (delivered + failed) / deliveries
}

/** The sums of several endpoints' days. */
export function addDays(days: readonly DeliveryDay[]): DeliveryDay {
  const sum = { delivered: 0, failed: 0, lost: 0, tried: 0 }
  for (const day of days) {
    sum.delivered += day.delivered
    sum.failed += day.failed
    sum.lost += day.lost
    sum.tried += day.tried
  }
  return sum
}
