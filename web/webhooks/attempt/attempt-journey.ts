import type { DeliveryLogDetail } from '#core/contract/webhooks/delivery.ts'
import { labelDeliveryStatus } from '#web/components/webhook-delivery-status.ts'

type StationState = 'done' | 'waiting' | 'failed' | 'ahead'

export interface AttemptStation {
  key: string
  label: string
  state: StationState
}

type Attempt = Pick<DeliveryLogDetail, 'event_type' | 'delivery_status' | 'response_status'>

/** Where this attempt got to on the lead's way: received, assigned, sent, delivered. At most one station has failed. */
export function drawAttemptJourney(attempt: Attempt): AttemptStation[] {
  const { sent, delivered } = readEnd(attempt)
  const assigned: AttemptStation[] =
    attempt.event_type === 'lead.assigned' ? [{ key: 'assigned', label: 'Assigned', state: 'done' }] : []
  return [
    { key: 'received', label: 'Received', state: 'done' },
    ...assigned,
    { key: 'sent', label: sentLabel(attempt, sent), state: sent },
    { key: 'delivered', label: delivered === 'failed' ? 'Not delivered' : 'Delivered', state: delivered },
  ]
}

function sentLabel({ delivery_status }: Attempt, sent: StationState) {
  if (delivery_status === 'cancelled') return 'Cancelled'
  return sent === 'failed' ? 'Not sent' : 'Sent'
}

function readEnd(attempt: Attempt): { sent: StationState; delivered: StationState } {
  const { tone } = labelDeliveryStatus(attempt)
  if (attempt.delivery_status === 'cancelled') return { sent: 'ahead', delivered: 'ahead' }
  if (tone === 'success') return { sent: 'done', delivered: 'done' }
  if (tone !== 'failure') return { sent: 'waiting', delivered: 'ahead' }
  // No answer came: the request did not get through, so it is the sending that failed.
  if (attempt.response_status === null) return { sent: 'failed', delivered: 'ahead' }
  return { sent: 'done', delivered: 'failed' }
}
