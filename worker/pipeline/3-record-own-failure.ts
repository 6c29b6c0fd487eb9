import type { ErrorClass } from '#core/contract/webhooks/delivery.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import type { AttemptRecord } from '#core/data/webhooks/deliveries/attempt-rows.ts'
import { SENDER_CRASHED } from '#core/data/webhooks/deliveries/lone-deliveries.ts'
import { recordAttempts } from '#core/data/webhooks/deliveries/record-attempts.ts'
import { readSendingConfigs } from '#core/data/webhooks/sending-configs.ts'
import { redactExchange } from '#core/domain/webhooks/answer/redact-exchange.ts'
import type { SendingContext } from '../sending-context.ts'
import { countRecorded } from '../metrics/count-recorded.ts'
import { identifyAttempt } from './3-identify-attempt.ts'

/** Why a delivery is given up through no fault of its endpoint. */
export interface OwnFailure {
  errorClass: ErrorClass
  message: string
}

export const NOT_PREPARED: OwnFailure = {
  errorClass: 'internal_error',
  message:
    'Nothing was sent: we could not prepare this request, and trying again did not help. This is our failure, not your endpoint’s; it can be sent again once it is mended.',
}
export const CRASHED: OwnFailure = {
  errorClass: SENDER_CRASHED,
  message:
    'Our process ended each time it was to send this, also when it sent nothing else. Whether your endpoint got it is not known. This is our failure; it can be sent again.',
}

/**
 * Consumes: a delivery, under its lease, whose request 2-send-delivery repeatedly could not prepare, or during which
 * its processes ended (worker/alone). Emits: a log row, the delivery as failed, delivery.failed on the timeline. The
 * endpoint's health does not change, because nothing was sent to it. Safe to run twice because: the status changes only
 * under the lease, and the log row is written with it.
 * @throws when PostgreSQL does not take it; then the whole attempt is repeated
 */
export async function recordOwnFailure(
  context: Pick<SendingContext, 'db' | 'logger' | 'metrics'>,
  delivery: ClaimedDelivery,
  { errorClass, message }: OwnFailure,
): Promise<void> {
  const [config] = await readSendingConfigs(context.db, [delivery.webhook_config_id])
  // The configuration was deleted after the claim, and the delivery with it.
  if (config === undefined) return
  const { url } = redactExchange({
    url: config.endpoint_url,
    requestHeaders: {},
    requestBody: '',
    responseHeaders: null,
    responseBody: null,
    message: null,
  })
  const record: AttemptRecord = {
    ...identifyAttempt(delivery, delivery.claimed_at),
    state: 'failed',
    retry_in_seconds: null,
    response_status: null,
    processing_time_ms: 0,
    error_class: errorClass,
    error_message: message,
    outcome: null,
    receiver_id: null,
    disable_reason: null,
    if_changed: null,
    remote_address: null,
    request_url: url,
    filled_url: null,
    request_method: config.request_method,
    request_headers: '{}',
    request_body: '',
    response_headers: null,
    response_body: null,
    response_truncated: false,
    timing: JSON.stringify({ connect_ms: null, headers_ms: null, total_ms: 0 }),
    late: null,
  }
  const [recorded] = await recordAttempts(context.db, [record])
  const lost = recorded?.lost ?? null
  countRecorded(context.metrics, delivery, record, lost !== null)
  const fields = {
    lead_id: delivery.lead_id,
    delivery_id: delivery.delivery_id,
    webhook_config_id: delivery.webhook_config_id,
    attempt: delivery.attempt,
  }
  if (lost === null)
    context.logger.error(
      fields,
      'a delivery failed by itself too often and was given up; it is a dead letter',
    )
  else context.logger.info({ ...fields, lost }, 'a delivery was over before it could be given up')
}
