import type { ClientEvent } from '#core/contract/events.ts'
import { EVENT_EXAMPLES, EXAMPLE_FRAME } from '#core/contract/webhooks/events/event-examples.ts'
import type { PlaceholderValues } from '#core/domain/webhooks/template/placeholder-value.ts'

/**
 * The values of an event's example for a test. `{{event}}` is `test`, as in the test of a lead: no receiver takes it for
 * an event that happened.
 */
export function sampleEventValues(
  event: ClientEvent,
  { eventId, deliveryId, sentAt }: { eventId: string; deliveryId: string; sentAt: Date },
): PlaceholderValues {
  return {
    ...EVENT_EXAMPLES[event],
    event: 'test',
    event_id: eventId,
    occurred_at: sentAt.toISOString(),
    client_id: EXAMPLE_FRAME.client_id,
    delivery_id: deliveryId,
    sent_at: sentAt.toISOString(),
  }
}
