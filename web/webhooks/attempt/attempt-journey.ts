import { isClientEvent } from '#core/contract/events.ts'
import type { DeliveryLogDetail } from '#core/contract/webhooks/delivery.ts'
import { wasSent } from '#web/components/was-sent.ts'
import { labelDeliveryStatus } from '#web/components/webhook-log-cells.ts'

type StationState = 'done' | 'waiting' | 'failed' | 'ahead'

export interface AttemptStation {
  key: string
  label: string
  state: StationState
}

type Attempt = Pick<
  DeliveryLogDetail,
  'event_type' | 'delivery_status' | 'response_status' | 'error_class' | 'remote_address' | 'timing'
>

/**
 * Returns the stations that this attempt has passed: received, assigned, sent, delivered; an event beside the
 * lead happened, and was not received. At most one has failed.
 */
export function drawAttemptJourney(attempt: Attempt): AttemptStation[] {
  const { sent, delivered } = readEnd(attempt)
  const assigned: AttemptStation[] =
    attempt.event_type === 'lead.assigned' ? [{ key: 'assigned', label: 'Assigned', state: 'done' }] : []
  return [
    isClientEvent(attempt.event_type)
      ? { key: 'happened', label: 'Happened', state: 'done' }
      : { key: 'received', label: 'Received', state: 'done' },
    ...assigned,
    { key: 'sent', label: sentLabel(attempt, sent), state: sent },
    { key: 'delivered', label: deliveredLabel(attempt, delivered), state: delivered },
  ]
}

function sentLabel({ delivery_status }: Attempt, sent: StationState) {
  if (delivery_status === 'cancelled') return 'Cancelled'
  return sent === 'failed' ? 'Not sent' : 'Sent'
}

function deliveredLabel(attempt: Attempt, delivered: StationState) {
  if (delivered !== 'failed') return 'Delivered'
  return isUnanswered(attempt) ? 'No answer' : 'Not delivered'
}

/** True if no answer came at all; one that broke off or was too large counts as an answer. */
function isUnanswered({ response_status, error_class, timing }: Attempt) {
  const isSilence = error_class === 'timeout' || error_class === 'reset'
  return response_status === null && isSilence && (timing?.headers_ms ?? null) === null
}

function readEnd(attempt: Attempt): { sent: StationState; delivered: StationState } {
  const { tone } = labelDeliveryStatus(attempt)
  if (attempt.delivery_status === 'cancelled') return { sent: 'ahead', delivered: 'ahead' }
  if (tone === 'success') return { sent: 'done', delivered: 'done' }
  if (tone !== 'failure') return { sent: 'waiting', delivered: 'ahead' }
  return wasSent(attempt) ? { sent: 'done', delivered: 'failed' } : { sent: 'failed', delivered: 'ahead' }
}
