import { z } from 'zod'
import { momentSchema } from '../moment.ts'

/**
 * Limit of deliveries that are sent again at a time: more would flood an endpoint that has just recovered. The caller
 * repeats it.
 */
export const RESEND_LIMIT = 10_000

/** Body and answer of `POST /api/v1/webhook-configs/:id/resend-failed`. */
export const resendFailedSchema = z.strictObject({
  since: momentSchema('Since must be a time like 2026-01-31T17:05:00Z'),
  dry_run: z.boolean().default(false),
})
/** `count` is the number sent now: `resent` as new deliveries, and `hurried` retries that were planned for later. */
export const resendFailedResultSchema = z.object({
  count: z.int(),
  resent: z.int(),
  hurried: z.int(),
  /** null if nothing was sent */
  replay_id: z.uuid().nullable(),
})
export type ResendFailedResult = z.infer<typeof resendFailedResultSchema>

/** The progress of one press of "Resend failed since…". The parts add up to `total`; `held` is included in them. */
export const replaySchema = z.object({
  id: z.uuid(),
  webhook_config_id: z.uuid(),
  since: z.string(),
  created_at: z.string(),
  cancelled_at: z.string().nullable(),
  total: z.int(),
  waiting: z.int(),
  /** failed again and planned for a further attempt */
  retrying: z.int(),
  /** number of these two that are held, because the webhook is off or its endpoint does not answer */
  held: z.int(),
  delivered: z.int(),
  failed: z.int(),
  cancelled: z.int(),
})
export type Replay = z.infer<typeof replaySchema>

/**
 * Answer of `POST /api/v1/delivery-logs/:id/resend`. `again` made a new delivery. `now` moved the next attempt of this
 * one forward, so that nothing is sent twice. `probe` tries the endpoint, which did not answer, with the delivery that
 * has waited longest for it.
 */
export const resendResultSchema = z.object({ delivery_id: z.uuid(), sent: z.enum(['again', 'now', 'probe']) })
export type ResendResult = z.infer<typeof resendResultSchema>

/**
 * Answer of `POST /api/v1/delivery-logs/:id/cancel`. A request under way is not interrupted; its result is still
 * logged.
 */
export const cancelResultSchema = z.object({ delivery_id: z.uuid(), is_sending: z.boolean() })

/** Body and answer of `POST /api/v1/webhook-configs/:id/cancel-waiting`; the answer of a replay's cancel too. */
export const cancelWaitingSchema = z.strictObject({ dry_run: z.boolean().default(false) })
export const cancelWaitingResultSchema = z.object({ count: z.int() })

/**
 * Answer of `POST /api/v1/webhook-configs/:id/send-offered` and `…/discard-offered`: number of deliveries that it
 * settled.
 */
export const settleOfferedResultSchema = z.object({ count: z.int() })
