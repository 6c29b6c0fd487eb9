import { z } from 'zod'
import { deliverableEventSchema } from './events.ts'
import { momentSchema } from './moment.ts'

/**
 * Where one (configuration, event) stands. `held` waits because its configuration is switched off;
 * `delivered`, `failed` and `cancelled` are final.
 */
export const DELIVERY_STATES = ['pending', 'held', 'delivered', 'failed', 'cancelled'] as const
export const deliveryStateSchema = z.enum(DELIVERY_STATES)
export type DeliveryState = z.infer<typeof deliveryStateSchema>

/** Why an attempt did not succeed; each has a sentence for the client in domain/read-answer.ts. */
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
  'http_4xx',
  'http_5xx',
  'http_other',
  'gone',
  'throttled',
] as const
export const errorClassSchema = z.enum(ERROR_CLASSES)
export type ErrorClass = z.infer<typeof errorClassSchema>

/** SPEC.md §3: delivered, failed, pending, or other values. */
export const logStatusSchema = z.enum(['delivered', 'failed', 'pending'])
export type LogStatus = z.infer<typeof logStatusSchema>

/** One row of `GET /api/v1/webhook-configs/:id/delivery-logs`: one attempt, or a delivery that waits for its first. */
export const deliveryLogSchema = z.object({
  id: z.uuid(),
  webhook_config_id: z.uuid(),
  lead_id: z.uuid(),
  delivery_id: z.uuid(),
  event_id: z.uuid(),
  event_type: deliverableEventSchema,
  delivery_status: z.string(),
  response_status: z.int().nullable(),
  attempt_number: z.int(),
  processing_time_ms: z.int().nullable(),
  created_at: z.string(),
  error_message: z.string().nullable(),
  error_class: errorClassSchema.nullable(),
  next_attempt_at: z.string().nullable(),
  lead: z
    .object({ name: z.string().nullable(), email: z.string().nullable(), phone: z.string().nullable() })
    .nullable(),
})
export type DeliveryLog = z.infer<typeof deliveryLogSchema>

/** Phases of one exchange in whole milliseconds; null where the phase was not reached or the connection was reused. */
export const attemptTimingSchema = z.object({
  connect_ms: z.int().nullable(),
  headers_ms: z.int().nullable(),
  total_ms: z.int(),
})
export type AttemptTiming = z.infer<typeof attemptTimingSchema>

/** `GET /api/v1/delivery-logs/:id`: the attempt whole. Header values that are secrets are masked. */
export const deliveryLogDetailSchema = deliveryLogSchema.extend({
  webhook_name: z.string().nullable(),
  max_attempts: z.int(),
  request: z
    .object({
      url: z.string(),
      method: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    })
    .nullable(),
  response: z
    .object({
      status: z.int(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
      body_truncated: z.boolean(),
    })
    .nullable(),
  timing: attemptTimingSchema.nullable(),
  remote_address: z.string().nullable(),
})
export type DeliveryLogDetail = z.infer<typeof deliveryLogDetailSchema>

/** What `test-webhook-endpoint` answers, always with HTTP 200 (CONTRACT.md §5). */
export const endpointTestResultSchema = z.object({
  success: z.boolean(),
  message: z.string(),
  error: z.string().nullable(),
  response_status: z.int().nullable(),
  duration_ms: z.int().nullable(),
  response_body: z.string().nullable(),
})
export type EndpointTestResult = z.infer<typeof endpointTestResultSchema>

/** Query of the delivery logs (CONTRACT.md §4; SPEC.md §9: 50 per webhook). */
export const deliveryLogQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  status: logStatusSchema.optional(),
  cursor: z.string().max(200).optional(),
})

/** Body and answer of `POST /api/v1/webhook-configs/:id/resend-failed`. */
export const resendFailedSchema = z.object({
  since: momentSchema('Since must be a time like 2026-01-31T17:05:00Z'),
  dry_run: z.boolean().default(false),
})
export const resendFailedResultSchema = z.object({ count: z.int() })

/** Answer of `POST /api/v1/delivery-logs/:id/resend`. */
export const resendResultSchema = z.object({ delivery_id: z.uuid() })

/** Body and answer of the function `webhook-delivery` (CONTRACT.md §5). */
export const webhookDeliverySchema = z.object({ lead_id: z.uuid(), client_user_id: z.uuid() })
export const webhookDeliveryResultSchema = z.object({
  success: z.boolean(),
  message: z.string(),
  error: z.string().nullable(),
  deliveries: z.int(),
})
export type WebhookDeliveryResult = z.infer<typeof webhookDeliveryResultSchema>
