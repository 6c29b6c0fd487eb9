import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'
import type { Tone } from '../ui/show/tone.ts'

export type StatusLabel = { label: string; tone: Tone }

/**
 * Returns the label of an attempt (docs/product.md §4). An error class means failed even with a 2xx: the
 * success rule found a refusal, or the answer broke off. Otherwise a 2xx outranks a row marked as failed. An
 * unknown status is shown as it is.
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
