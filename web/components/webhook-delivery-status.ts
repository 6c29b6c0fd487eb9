import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'
import type { Tone } from '../ui/show/tone.ts'

export type StatusLabel = { label: string; tone: Tone }

/**
 * How a delivery's status reads on screen (docs/product.md §4), in that order:
 * a 2xx answer outranks a row that is marked failed, and a status nobody knows is shown as it is.
 * A 2xx is no success where the attempt says why it failed: the success rule found a no in the answer, or it broke off.
 */
export function labelDeliveryStatus(
  log: Pick<DeliveryLog, 'delivery_status' | 'response_status'> &
    Partial<Pick<DeliveryLog, 'error_class' | 'outcome'>>,
): StatusLabel {
  const code = log.response_status ?? 0
  if ((log.error_class ?? null) !== null) return { label: 'Failed', tone: 'failure' }
  if (log.delivery_status === 'delivered' || (code >= 200 && code < 300))
    return { label: 'Success', tone: 'success' }
  if (log.delivery_status === 'failed' || code >= 400) return { label: 'Failed', tone: 'failure' }
  if (log.delivery_status === 'pending') return { label: 'Pending', tone: 'waiting' }
  return { label: log.delivery_status, tone: 'neutral' }
}
