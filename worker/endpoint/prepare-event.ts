import type { Config } from '#core/config/config.ts'
import type { ClientEvent } from '#core/contract/events.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { readEventData, type EventToSend } from '#core/data/webhooks/deliveries/event-to-send.ts'
import { prepareRequest, type RequestIdentity, type WebhookRequest } from '#core/endpoint/prepare-request.ts'
import { StoredDataError } from '#core/read-stored.ts'
import type { SendingSettings } from './read-settings.ts'

/**
 * Prepares the request of an event beside the lead: its own template, filled with its own data.
 * @param event undefined if its row is gone
 * @throws StoredDataError
 */
export function prepareEvent(
  { http }: Pick<Config, 'http'>,
  settings: SendingSettings,
  { client_user_id }: Pick<ClaimedDelivery, 'client_user_id'>,
  identity: RequestIdentity & { event: ClientEvent },
  event: EventToSend | undefined,
): WebhookRequest {
  if (event === undefined) throw new StoredDataError('the event of a delivery is gone')
  const values = {
    ...readEventData(identity.event, event),
    event: identity.event,
    event_id: identity.eventId,
    occurred_at: event.created_at.toISOString(),
    client_id: client_user_id,
    delivery_id: identity.deliveryId,
    sent_at: identity.sentAt.toISOString(),
  }
  const template = settings.templateOfEvent(identity.event)
  return prepareRequest({ ...settings, template }, identity, values, http.publicUrl)
}
