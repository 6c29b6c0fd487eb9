import { randomUUID } from 'node:crypto'
import type { AttemptRecord } from '#core/data/webhooks/deliveries/attempt-rows.ts'
import { claimDeliveries, type ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import type { Db } from '#core/data/database.ts'

/**
 * Claims a delivery, which must be the first in line at its endpoint. @returns it, and the token of its lease
 */
export async function givenLease(
  db: Db,
  deliveryId: string,
): Promise<{ delivery: ClaimedDelivery; token: string }> {
  const { webhook_config_id } = await db
    .selectFrom('webhook_deliveries')
    .select('webhook_config_id')
    .where('id', '=', deliveryId)
    .executeTakeFirstOrThrow()
  const [delivery] = await claimAt(db, webhook_config_id)
  if (delivery?.delivery_id !== deliveryId) throw new Error('another delivery, or none, was claimed')
  return { delivery, token: delivery.lease_token }
}

/** Claims one delivery of an endpoint. */
export async function claimAt(db: Db, endpoint: string): Promise<ClaimedDelivery[]> {
  const request = { webhook_config_id: endpoint, most: 1, most_low_priority: 1, low_priority_first: false }
  const [claimed] = await claimDeliveries(db, [request], 30)
  return claimed?.deliveries ?? []
}

/** The record of a claimed delivery's first attempt, as a worker writes it. */
export function attemptRecord(
  delivery: ClaimedDelivery,
  token: string,
  fields: Partial<AttemptRecord> = {},
): AttemptRecord {
  return {
    log_id: randomUUID(),
    created_at: delivery.claimed_at,
    claimed_at: delivery.claimed_at,
    config_version: delivery.config_version,
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
    if_changed: null,
    remote_address: null,
    request_url: 'https://crm.example.com/',
    filled_url: null,
    request_method: 'POST',
    request_headers: '{}',
    request_body: '',
    response_headers: null,
    response_body: null,
    response_truncated: false,
    timing: '{}',
    late: null,
    ...fields,
  }
}
