import type { DeliveryLogDetail } from '#core/contract/webhooks/delivery.ts'

type Attempt = Pick<DeliveryLogDetail, 'bodies' | 'bodies_kept_days' | 'delivery_state' | 'is_latest'>

/** Why there is no response to show. */
export function describeNoResponse(attempt: Attempt) {
  return attempt.bodies === 'kept' ? 'The endpoint gave no response.' : describeNoRequest(attempt)
}

/** Why there is no request to show. */
export function describeNoRequest({ bodies, bodies_kept_days, delivery_state, is_latest }: Attempt) {
  if (bodies === 'expired') return `Kept for ${bodies_kept_days} days, and removed since.`
  if (bodies === 'erased') return 'Erased together with the lead.'
  const isToCome = is_latest && (delivery_state === 'held' || delivery_state === 'pending')
  return isToCome ? 'The request has not been sent yet.' : 'The request was never sent.'
}
