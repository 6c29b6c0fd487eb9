import type { DeliveryLogDetail } from '../../../../core/contract/delivery.ts'
import { labelDeliveryStatus } from '../../../components/webhook-delivery-status.ts'
import type { Station, StationState } from '../../../ui/JourneyLine.tsx'

type Attempt = Pick<
  DeliveryLogDetail,
  'event_type' | 'delivery_status' | 'response_status' | 'request' | 'next_attempt_at'
>

/** Where this attempt got to on the lead's way: received, assigned, sent, delivered. At most one station has failed. */
export function drawAttemptJourney(attempt: Attempt): Station[] {
  const { sent, delivered } = readEnd(attempt)
  const assigned: Station[] =
    attempt.event_type === 'lead.assigned' ? [{ key: 'assigned', label: 'Assigned', state: 'done' }] : []
  return [
    { key: 'received', label: 'Received', state: 'done' },
    ...assigned,
    { key: 'sent', label: 'Sent', state: sent },
    { key: 'delivered', label: 'Delivered', state: delivered },
  ]
}

function readEnd(attempt: Attempt): { sent: StationState; delivered: StationState } {
  const { tone } = labelDeliveryStatus(attempt)
  if (tone === 'success') return { sent: 'done', delivered: 'done' }
  if (tone !== 'failure') return { sent: 'waiting', delivered: 'ahead' }
  // No answer came: the request did not get through, so it is the sending that failed.
  if (attempt.response_status === null) return { sent: 'failed', delivered: 'ahead' }
  return { sent: 'done', delivered: 'failed' }
}
