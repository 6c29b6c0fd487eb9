import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { errorClassSchema } from '../webhooks/delivery.ts'
import { endpointHealthSchema } from '../webhooks/endpoint-health.ts'
import { deliverableEventSchema } from '../events.ts'

/** Counting reads each row, and beyond this the number no longer matters. */
export const DEAD_LETTERS_COUNTED = 100_000
/** So many can be named in one request. */
export const REDRIVE_IDS = 500

const eventCountSchema = z.object({ type: z.string(), count: z.int() })
/** A client as administrators know it. */
export const clientSchema = z.object({
  user_id: accountIdSchema,
  name: z.string().nullable(),
  email: z.string(),
})

/** A delivery that finally failed and was not sent again, as administrators see it. */
export const deadLetterSchema = z.object({
  /** the delivery's id */
  id: z.uuid(),
  failed_at: z.string(),
  attempts: z.int(),
  reason: errorClassSchema.nullable(),
  /** the sentence of the last attempt; null where its log is gone */
  message: z.string().nullable(),
  /** never its path or query, which may hold secrets */
  endpoint_host: z.string(),
  webhook_config_id: z.uuid(),
  webhook_name: z.string(),
  /** switched off, a webhook gets nothing: its dead letters can be sent again once it is on */
  is_active: z.boolean(),
  client: clientSchema,
  lead_id: z.uuid(),
  event_id: z.uuid(),
  event_type: deliverableEventSchema,
})
export type DeadLetter = z.infer<typeof deadLetterSchema>

/** What dead letters there are, for the filters; counted up to {@link DEAD_LETTERS_COUNTED}. */
export const deadLetterSummarySchema = z.object({
  total: z.int(),
  reasons: z.array(z.object({ reason: errorClassSchema.nullable(), count: z.int() })),
  clients: z.array(clientSchema.extend({ count: z.int() })),
  /** jobs that were given up: of failed events, and otherwise none; null while Redis is away */
  failed_jobs: z.array(z.object({ queue: z.string(), count: z.int() })).nullable(),
  /** events whose type this version has no consumer for: a newer one wrote them, and takes them */
  unclaimed_events: z.array(eventCountSchema),
  /** events that could not be planned and were given up */
  failed_events: z.array(eventCountSchema),
})
export type DeadLetterSummary = z.infer<typeof deadLetterSummarySchema>

/** Which dead letters: none of the filters means all. */
export const deadLetterFilterSchema = z.object({
  reason: errorClassSchema.optional(),
  client: accountIdSchema.optional(),
})
export type DeadLetterFilter = z.infer<typeof deadLetterFilterSchema>

/** Body of `POST /api/v1/admin/dead-letters/redrive`: some by their ids, or all that a filter matches. */
export const redriveSchema = z
  .strictObject({
    ids: z.array(z.uuid()).min(1).max(REDRIVE_IDS).optional(),
    filter: z.strictObject(deadLetterFilterSchema.shape).optional(),
    /** only counts */
    dry_run: z.boolean().default(false),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    error: 'Give either ids or a filter',
  })
export type Redrive = z.infer<typeof redriveSchema>

/**
 * How many are sent again, at most RESEND_LIMIT at a time; with `dry_run` how many there are. `switched_off` wait for their
 * webhook to be switched on.
 */
export const redriveResultSchema = z.object({ count: z.int(), switched_off: z.int() })
export type RedriveResult = z.infer<typeof redriveResultSchema>

/** An endpoint that is in trouble, as administrators see it. */
export const troubledEndpointSchema = z.object({
  webhook_config_id: z.uuid(),
  webhook_name: z.string(),
  endpoint_host: z.string(),
  is_active: z.boolean(),
  /** as its client has it (core/domain/webhooks/endpoint-status.ts) */
  standing: endpointHealthSchema.shape.standing,
  client: clientSchema,
  breaker: z.enum(['closed', 'open']),
  failing_since: z.string().nullable(),
  failures_in_row: z.int(),
  last_reason: errorClassSchema.nullable(),
  /** of those that wait: until the webhook is on, or the endpoint answers */
  held: z.int(),
  /** deliveries that are not final, as its client has them; `waiting_more` where there are more than are counted */
  waiting: z.int(),
  waiting_more: z.boolean(),
})
export type TroubledEndpoint = z.infer<typeof troubledEndpointSchema>
