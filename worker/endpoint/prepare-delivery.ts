import type { Config } from '#core/config/config.ts'
import { isClientEvent } from '#core/contract/events.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { readClaimedLead } from '#core/data/webhooks/deliveries/claimed-lead.ts'
import type { EventToSend } from '#core/data/webhooks/deliveries/event-to-send.ts'
import { leadValues } from '#core/domain/leads/lead-values.ts'
import { outcomeUrl } from '#core/domain/leads/outcome-url.ts'
import type { PurposeKeys } from '#core/secrets/derived-keys.ts'
import { outcomeExpiry, signOutcome } from '#core/secrets/outcome-token.ts'
import { prepareRequest, type WebhookRequest } from '#core/endpoint/prepare-request.ts'
import { blameDelivery } from './delivery-fault.ts'
import { prepareEvent } from './prepare-event.ts'
import type { SendingSettings } from './read-settings.ts'

/**
 * Prepares the request of one attempt. An event beside the lead never goes through the template for leads.
 * @param told the event, if it is one beside the lead
 * @throws DeliveryFault
 */
export function prepareDelivery(
  { config: { http }, outcomeKeys }: { config: Pick<Config, 'http'>; outcomeKeys: PurposeKeys },
  settings: SendingSettings,
  delivery: ClaimedDelivery,
  told?: EventToSend,
): WebhookRequest {
  const { event_type: event } = delivery
  const identity = {
    eventId: delivery.event_id,
    deliveryId: delivery.delivery_id,
    attempt: delivery.attempt,
    sequence: delivery.sequence,
    // The time is the database's. A worker's clock may be wrong, and a receiver refuses a signature that is minutes
    // off.
    sentAt: delivery.claimed_at,
  }
  return blameDelivery('preparing the request', () => {
    if (isClientEvent(event)) return prepareEvent({ http }, settings, delivery, { ...identity, event }, told)
    const { client_user_id, webhook_config_id, lead_id } = delivery
    const signAddress = (): string =>
      outcomeUrl(
        http.apiUrl,
        signOutcome(outcomeKeys, {
          lead_id,
          client_user_id,
          webhook_config_id,
          expires_at: outcomeExpiry(identity.sentAt),
        }),
      )
    const values = leadValues(readClaimedLead(delivery), {
      ...identity,
      event,
      clientId: client_user_id,
      outcomeUrl: signAddress,
    })
    return prepareRequest(settings, { ...identity, event }, values, http.publicUrl)
  })
}
