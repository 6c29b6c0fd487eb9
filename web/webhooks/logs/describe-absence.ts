import type { DeliveryLogDetail } from '#core/contract/webhooks/delivery.ts'
import { wasSent } from '#web/components/was-sent.ts'

type Attempt = Pick<DeliveryLogDetail, 'bodies' | 'bodies_kept_days' | 'delivery_state' | 'is_latest'>
type Unanswered = Attempt &
  Pick<DeliveryLogDetail, 'response_status' | 'error_class' | 'remote_address' | 'timing'>

/** Says why there is no response to show. */
export function describeNoResponse(attempt: Unanswered) {
  if (attempt.bodies !== 'kept') return describeNoRequest(attempt)
  if (!wasSent(attempt)) return 'Nothing was sent, so there is no response.'
  const hasBegun = (attempt.timing?.headers_ms ?? null) !== null || attempt.error_class === 'too_large'
  return hasBegun
    ? 'The endpoint began a response that could not be read to its end.'
    : 'The endpoint gave no response.'
}

/** Says why there is no request to show. */
export function describeNoRequest({ bodies, bodies_kept_days, delivery_state, is_latest }: Attempt) {
  if (bodies === 'expired') return `Kept for ${bodies_kept_days} days, and removed since.`
  if (bodies === 'erased') return 'Erased together with the lead.'
  if (bodies === 'returned') return 'Hidden, because the lead was returned.'
  const isToCome = is_latest && (delivery_state === 'held' || delivery_state === 'pending')
  return isToCome ? 'The request has not been sent yet.' : 'The request was never sent.'
}
