import { z } from 'zod'
import { endpointTestResultSchema, errorClassSchema } from './delivery.ts'
import { whenLeftOut } from '../when-left-out.ts'

/** Counting stops at this number. */
export const WAITING_COUNTED = 10_000

/**
 * The health of a configuration's endpoint, as `GET /api/v1/webhook-configs/:id/health` returns it. `standing`:
 * `unused` had no attempt yet; `failing` by core/domain/webhooks/endpoint-status.ts; `switched_off` by the system, for
 * `disabled_reason`; `inactive` by a person. Times and order of attempts are those of the ends of their exchanges.
 */
export const endpointHealthSchema = z.object({
  webhook_config_id: z.uuid(),
  webhook_name: z.string(),
  standing: z.enum(['unused', 'healthy', 'failing', 'switched_off', 'inactive']),
  disabled_reason: z.string().nullable(),
  disabled_at: z.string().nullable(),
  /** why Leadwire has paused all sending to the client; null while it is not paused */
  sending_pause_reason: whenLeftOut(z.string().nullable(), null),
  last_attempt_at: z.string().nullable(),
  /** null if the last attempt had no answer */
  last_status: z.int().nullable(),
  /** null if the last attempt was delivered */
  last_error_class: errorClassSchema.or(z.string()).nullable(),
  last_error_message: z.string().nullable(),
  last_success_at: z.string().nullable(),
  failures_in_row: z.int(),
  failing_since: z.string().nullable(),
  /** `open`: the endpoint does not answer, so deliveries are held and one at a time probes it */
  breaker: z.enum(['closed', 'open']),
  next_probe_at: z.string().nullable(),
  /** the last 24 hours, including the current one */
  day: z.object({
    delivered: z.int(),
    /** attempts, not deliveries: a delivery that arrived in the end may have had several */
    failed: z.int(),
    /** deliveries that failed for good, and were not sent again since */
    lost: z.int(),
    /** deliveries that wait for a further attempt */
    tried: z.int(),
    /**
     * leads that did not meet its conditions; counted up to {@link WAITING_COUNTED} for all of a client's
     * configurations
     */
    skipped: z.int(),
    /** delivered ÷ (delivered + lost + `waiting`), 0 to 1; null without any */
    success_rate: z.number().nullable(),
    p50_ms: z.int().nullable(),
    p95_ms: z.int().nullable(),
  }),
  /** oldest first, the current hour last */
  hours: z.array(z.object({ hour: z.string(), delivered: z.int(), failed: z.int() })).length(24),
  /** unfinished deliveries; `waiting_more` if there are more than are counted */
  waiting: z.int(),
  waiting_more: z.boolean(),
  /**
   * those of them that were planned while the webhook was off: its owner sends or discards them; counted up to {@link
   * WAITING_COUNTED}
   */
  offered: z.int(),
})
export type EndpointHealth = z.infer<typeof endpointHealthSchema>

/** `GET /api/v1/webhook-configs/health`: all of the caller's endpoints, newest first, without pages. */
export const endpointHealthListSchema = z.object({ data: z.array(endpointHealthSchema) })

/** Body and answer of `POST /api/v1/webhook-configs/:id/switch-on`. */
export const switchOnSchema = z.strictObject({
  /**
   * what to do with the waiting deliveries; `keep`: those planned while it was off stay offered, the others are sent
   */
  waiting: z.enum(['send', 'discard', 'keep']).default('keep'),
  /** tests the endpoint and switches on only if that succeeds */
  test_first: z.boolean().default(false),
})
export const switchOnResultSchema = z.object({
  is_active: z.boolean(),
  /** null if no test was requested */
  test: endpointTestResultSchema.nullable(),
  sent: z.int(),
  discarded: z.int(),
})
export type SwitchOn = z.infer<typeof switchOnSchema>
export type SwitchOnResult = z.infer<typeof switchOnResultSchema>
