import type { AttemptRecord } from '#core/data/webhooks/deliveries/attempt-rows.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import type { Logger } from '#core/telemetry/logger.ts'

/** With LOG_LEVEL=debug: one line for each recorded attempt, with ids and classes only. */
export function logAttempt(
  logger: Logger,
  delivery: Pick<ClaimedDelivery, 'event_id' | 'event_type' | 'client_user_id' | 'attempt' | 'is_resend'>,
  record: Pick<
    AttemptRecord,
    | 'lead_id'
    | 'delivery_id'
    | 'webhook_config_id'
    | 'state'
    | 'response_status'
    | 'error_class'
    | 'processing_time_ms'
    | 'retry_in_seconds'
  >,
): void {
  if (!logger.isLevelEnabled('debug')) return
  const { event_id, event_type, client_user_id, attempt, is_resend } = delivery
  logger.debug(
    {
      lead_id: record.lead_id,
      delivery_id: record.delivery_id,
      event_id,
      event_type,
      webhook_config_id: record.webhook_config_id,
      client_user_id,
      attempt,
      is_resend,
      state: record.state,
      status: record.response_status,
      error_class: record.error_class,
      took_ms: Math.round(record.processing_time_ms),
      retry_in_seconds: record.retry_in_seconds,
    },
    'attempt recorded',
  )
}
