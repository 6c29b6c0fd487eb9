import { randomUUID } from 'node:crypto'
import type { AttemptRecord } from '#core/data/webhooks/deliveries/attempt-rows.ts'
import { claimDeliveries, type ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import type { Db } from '#core/data/database.ts'

/** Claims the first attempt of a delivery. @returns the delivery, and the token of its lease */
export async function givenLease(
  db: Db,
  deliveryId: string,
): Promise<{ delivery: ClaimedDelivery; token: string }> {
  const token = randomUUID()
  const [claim] = await claimDeliveries(db, [{ delivery_id: deliveryId, attempt: 1, lease_token: token }], 30)
  if (claim?.status !== 'claimed') throw new Error(`the claim was ${claim?.status}`)
  return { delivery: claim.delivery, token }
}

/** What the first attempt of a claimed delivery came to, as a worker would record it. */
export function attemptRecord(
  delivery: ClaimedDelivery,
  token: string,
  fields: Partial<AttemptRecord> = {},
): AttemptRecord {
  return {
    log_id: randomUUID(),
    created_at: delivery.claimed_at,
    claimed_at: delivery.claimed_at,
    delivery_id: delivery.delivery_id,
    lease_token: token,
    webhook_config_id: delivery.webhook_config_id,
    client_user_id: delivery.client_user_id,
    event_id: delivery.event_id,
    event_type: delivery.event_type,
    lead_id: delivery.lead_id,
    attempt: 1,
    state: 'delivered',
    retry_in_seconds: null,
    response_status: 200,
    processing_time_ms: 5,
    error_class: null,
    error_message: null,
    outcome: null,
    receiver_id: null,
    disable_reason: null,
    remote_address: null,
    request_url: 'https://crm.example.com/',
    request_method: 'POST',
    request_headers: '{}',
    request_body: '',
    response_headers: null,
    response_body: null,
    response_truncated: false,
    timing: '{}',
    ...fields,
  }
}
