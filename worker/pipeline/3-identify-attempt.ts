import { randomUUIDv7 } from 'node:crypto'
import type { AttemptRecord } from '#core/data/webhooks/deliveries/attempt-rows.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'

/**
 * The part of an attempt's record that names the attempt, its delivery and its lease.
 * @param begunAt when its exchange began
 */
export function identifyAttempt(delivery: ClaimedDelivery, begunAt: Date) {
  return {
    log_id: uuidAt(begunAt, randomUUIDv7()),
    created_at: begunAt,
    claimed_at: delivery.claimed_at,
    config_version: delivery.config_version,
    delivery_id: delivery.delivery_id,
    lease_token: delivery.lease_token,
    webhook_config_id: delivery.webhook_config_id,
    client_user_id: delivery.client_user_id,
    event_id: delivery.event_id,
    event_type: delivery.event_type,
    lead_id: delivery.lead_id,
    attempt: delivery.attempt,
  } satisfies Partial<AttemptRecord>
}
