import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { outcomeSchema } from './answer-rules.ts'
import { sentEventSchema } from '../events.ts'
import { momentSchema } from '../moment.ts'
import { trimCode } from '../trim-invisible.ts'
import { whenLeftOut } from '../when-left-out.ts'

/**
 * The status of one (configuration, event). `held`: the configuration is switched off, or its endpoint does not answer;
 * or the owner decides, because the configuration was off when it was planned. `delivered`, `failed` and `cancelled`
 * are final.
 */
export const DELIVERY_STATES = ['pending', 'held', 'delivered', 'failed', 'cancelled'] as const
export const deliveryStateSchema = z.enum(DELIVERY_STATES)
export type DeliveryState = z.infer<typeof deliveryStateSchema>

/**
 * Days for which a delivery that was planned while its webhook was off is offered to its owner (docs/product.md §4);
 * after that it is cancelled.
 */
export const OFFERED_DAYS = 30

/** The reasons why an attempt did not succeed; core/domain/webhooks/answer/read-answer.ts has a sentence for each. */
export const ERROR_CLASSES = [
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'too_large',
  'redirect',
  'blocked_address',
  'invalid_request',
  'authentication',
  'http_4xx',
  'http_5xx',
  'http_other',
  'gone',
  'throttled',
  'refused_by_body',
  /** our fault: nothing was sent, and trying again did not help */
  'internal_error',
  /** our fault: every process that tried to send it ended with it, also those that sent it alone */
  'sender_crashed',
  /** our fault: our mail server took no mail; the attempt is not counted, and is made again */
  'mail_server',
] as const
export const errorClassSchema = z.enum(ERROR_CLASSES)
export type ErrorClass = z.infer<typeof errorClassSchema>

/** docs/product.md §3: delivered, failed, pending, or other values. `cancelled` is a delivery that a person has stopped. */
export const LOG_STATUSES = ['delivered', 'failed', 'pending', 'cancelled'] as const
export const logStatusSchema = z.enum(LOG_STATUSES)
export type LogStatus = z.infer<typeof logStatusSchema>

/**
 * One row of `GET /api/v1/webhook-configs/:id/delivery-logs`: one attempt, a delivery that waits for its first, or the
 * moment in which a delivery was cancelled. `outcome` is the result by the success rule, null without one;
 * `receiver_id` is the receiver's id for the lead.
 */
export const deliveryLogSchema = z.object({
  id: z.uuid(),
  webhook_config_id: z.uuid(),
  /** null: an event that has no lead */
  lead_id: z.uuid().nullable(),
  delivery_id: z.uuid(),
  event_id: z.uuid(),
  event_type: sentEventSchema,
  delivery_status: z.string(),
  response_status: z.int().nullable(),
  attempt_number: z.int(),
  /** the whole exchange, including an access token's; null if there was none */
  processing_time_ms: z.int().nullable(),
  /** for an attempt: when its exchange began. The answer came `processing_time_ms` later */
  created_at: z.string(),
  error_message: z.string().nullable(),
  error_class: errorClassSchema.nullable(),
  outcome: outcomeSchema.nullable(),
  receiver_id: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
  /** whether its next attempt is at the opening of the webhook's sending hours */
  waits_for_hours: z.boolean(),
  /** the webhook's requests a minute if its next attempt is due and waits for them; null if it does not */
  waits_for_rate: whenLeftOut(z.int().nullable(), null),
  /** the delivery's present status; null once its configuration is deleted */
  delivery_state: deliveryStateSchema.nullable(),
  /** set if it was planned while the webhook was off: until then it is held for its owner to send or discard */
  offered_until: z.string().nullable(),
  /** whether this row is the delivery's last so far */
  is_latest: z.boolean(),
  /** whether the delivery's next request is under way now */
  is_sending: z.boolean(),
  /** whether the same event is being sent again, by another unfinished delivery */
  is_sent_again: z.boolean(),
  /** whether the delivery was sent again, by another that was not cancelled */
  is_resent: z.boolean(),
  /** the delivery that this one repeats */
  resend_of: z.uuid().nullable(),
  cancelled_by: z.enum(['client', 'administrator']).nullable(),
  /** null for an event beside the lead */
  lead: z
    .object({ name: z.string().nullable(), email: z.string().nullable(), phone: z.string().nullable() })
    .nullable(),
})
export type DeliveryLog = z.infer<typeof deliveryLogSchema>

/** Phases of one exchange in whole milliseconds; null if the phase was not reached or the connection was reused. */
export const attemptTimingSchema = z.object({
  connect_ms: z.int().nullable(),
  headers_ms: z.int().nullable(),
  total_ms: z.int(),
})
export type AttemptTiming = z.infer<typeof attemptTimingSchema>

/** A row of the log as a link: `id` is the id for `GET /api/v1/delivery-logs/:id`. */
export const relatedAttemptSchema = deliveryLogSchema.pick({
  id: true,
  delivery_id: true,
  delivery_status: true,
  response_status: true,
  error_class: true,
  attempt_number: true,
  created_at: true,
})
export type RelatedAttempt = z.infer<typeof relatedAttemptSchema>

/** Headers of a request or an answer; stored as JSON text. */
export const exchangeHeadersSchema = z.record(z.string(), z.string())

/** `GET /api/v1/delivery-logs/:id`: the whole attempt. Secret header values are masked. */
export const deliveryLogDetailSchema = deliveryLogSchema.extend({
  webhook_name: z.string().nullable(),
  max_attempts: z.int(),
  /**
   * The availability of headers and bodies: `kept`; `expired` after LOG_BODY_RETENTION_DAYS or `erased` with the lead,
   * and then `request` and `response` are null; `none` before the first attempt.
   */
  bodies: z.enum(['kept', 'expired', 'erased', 'returned', 'none']),
  bodies_kept_days: z.int(),
  request: z
    .object({
      url: z.string(),
      method: z.string(),
      headers: exchangeHeadersSchema,
      body: z.string(),
    })
    .nullable(),
  response: z
    .object({
      status: z.int(),
      headers: exchangeHeadersSchema,
      body: z.string(),
      body_truncated: z.boolean(),
    })
    .nullable(),
  timing: attemptTimingSchema.nullable(),
  remote_address: z.string().nullable(),
  /** every row of the same delivery, oldest first */
  attempts: z.array(relatedAttemptSchema),
  /** the last row of the delivery that this one repeats */
  resent_from: relatedAttemptSchema.nullable(),
  /** the last row of each delivery that repeats this one, newest first */
  resent_as: z.array(relatedAttemptSchema),
})
export type DeliveryLogDetail = z.infer<typeof deliveryLogDetailSchema>

/** The answer of `test-webhook-endpoint`, always with HTTP 200 (docs/contract.md §5). */
export const endpointTestResultSchema = z.object({
  success: z.boolean(),
  message: z.string(),
  error: z.string().nullable(),
  response_status: z.int().nullable(),
  duration_ms: z.int().nullable(),
  response_body: z.string().nullable(),
  outcome: outcomeSchema.nullable(),
  receiver_id: z.string().nullable(),
})
export type EndpointTestResult = z.infer<typeof endpointTestResultSchema>

/** Query of the delivery logs (docs/contract.md §4; docs/product.md §9: 50 per webhook). */
export const deliveryLogQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  status: logStatusSchema.optional(),
  event_type: sentEventSchema.optional(),
  from: momentSchema('From must be a time like 2026-01-31T17:05:00Z').optional(),
  to: momentSchema('To must be a time like 2026-01-31T17:05:00Z').optional(),
  /**
   * part of the lead's name, e-mail or phone or of an error, or the id of a lead, delivery or event (docs/product.md
   * §5: ≥ 2)
   */
  search: z.string().overwrite(trimCode).min(2, 'Search needs at least 2 characters').max(200).optional(),
  cursor: z.string().max(200).optional(),
})

/**
 * `GET /api/v1/webhook-configs/:id/delivery-counts`. `logs` stops at `logs_limit`: counting millions would take too
 * long.
 */
export const deliveryCountsSchema = z.object({
  logs: z.int(),
  logs_limit: z.int(),
  waiting: z.int(),
  /** whether a delivery has failed for good, or waits for a further attempt */
  has_failed: z.boolean(),
})

/** Body and answer of the function `webhook-delivery` (docs/contract.md §5). */
export const webhookDeliverySchema = z.object({ lead_id: z.uuid(), client_user_id: accountIdSchema })
export const webhookDeliveryResultSchema = z.object({
  success: z.boolean(),
  message: z.string(),
  error: z.string().nullable(),
  deliveries: z.int(),
})
export type WebhookDeliveryResult = z.infer<typeof webhookDeliveryResultSchema>
