import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { clientSchema } from '../accounts/named-client.ts'
import { optionalNoteSchema } from '../admin-note.ts'
import { momentSchema } from '../moment.ts'
import { errorClassSchema } from '../webhooks/delivery.ts'
import { endpointHealthSchema } from '../webhooks/endpoint-health.ts'
import { sentEventSchema } from '../events.ts'

/** Counting reads each row, and beyond this the number no longer matters. */
export const DEAD_LETTERS_COUNTED = 100_000
/** Limit of ids in one request. */
export const REDRIVE_IDS = 500

const MOMENT = 'Must be a time like 2026-01-31T17:05:00Z'

const eventCountSchema = z.object({ type: z.string(), count: z.int() })

/** A delivery that finally failed and was not sent again, in the form that administrators see. */
export const deadLetterSchema = z.object({
  /** the delivery's id */
  id: z.uuid(),
  failed_at: z.string(),
  attempts: z.int(),
  reason: errorClassSchema.nullable(),
  /** the message of the last attempt; null if its log is gone */
  message: z.string().nullable(),
  /** never its path or query, which may hold secrets */
  endpoint_host: z.string(),
  webhook_config_id: z.uuid(),
  webhook_name: z.string(),
  /** a webhook that is off gets nothing: its dead letters can be sent again once it is on */
  is_active: z.boolean(),
  client: clientSchema,
  /** null: an event that has no lead */
  lead_id: z.uuid().nullable(),
  event_id: z.uuid(),
  event_type: sentEventSchema,
})
export type DeadLetter = z.infer<typeof deadLetterSchema>

/** Counts of dead letters, for the filters; up to {@link DEAD_LETTERS_COUNTED}. */
export const deadLetterSummarySchema = z.object({
  total: z.int(),
  reasons: z.array(z.object({ reason: errorClassSchema.nullable(), count: z.int() })),
  clients: z.array(clientSchema.extend({ count: z.int() })),
  /** failed jobs, which are those of failed events; null while Redis is away */
  failed_jobs: z.array(z.object({ queue: z.string(), count: z.int() })).nullable(),
  /** events whose type this version does not consume: a newer version wrote them, and consumes them */
  unclaimed_events: z.array(eventCountSchema),
  /** events that could not be planned and were given up */
  failed_events: z.array(eventCountSchema),
})
export type DeadLetterSummary = z.infer<typeof deadLetterSummarySchema>

/** Filters of dead letters; without filters all match. */
export const deadLetterFilterSchema = z.object({
  reason: errorClassSchema.optional(),
  client: accountIdSchema.optional(),
  /** only those of one webhook */
  webhook: z.uuid().optional(),
  /** finally failed from then on */
  since: momentSchema(MOMENT).optional(),
  /** finally failed before then */
  until: momentSchema(MOMENT).optional(),
})
export type DeadLetterFilter = z.infer<typeof deadLetterFilterSchema>

/** Body of `POST /api/v1/admin/dead-letters/redrive`: some by their ids, or all that a filter matches. */
export const redriveSchema = z
  .strictObject({
    ids: z.array(z.uuid()).min(1).max(REDRIVE_IDS).optional(),
    filter: z.strictObject(deadLetterFilterSchema.shape).optional(),
    /** only counts */
    dry_run: z.boolean().default(false),
    note: optionalNoteSchema,
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    error: 'Give either ids or a filter',
  })
export type Redrive = z.infer<typeof redriveSchema>

/**
 * Number of deliveries that are sent again, at most RESEND_LIMIT at a time; with `dry_run`, how many there are.
 * `switched_off` wait until their webhook is on.
 */
export const redriveResultSchema = z.object({ count: z.int(), switched_off: z.int() })
export type RedriveResult = z.infer<typeof redriveResultSchema>

/**
 * Body of `POST /api/v1/admin/retry-failed`: everything of a kind that was given up. With `dry_run` it is only counted,
 * and no reason is needed.
 */
export const retryFailedSchema = z
  .strictObject({
    kind: z.enum(['events', 'mails']),
    /** only events that failed, or mails that were made, from then on */
    since: momentSchema(MOMENT).optional(),
    /** only counts */
    dry_run: z.boolean().default(false),
    note: optionalNoteSchema,
  })
  .refine(({ dry_run: isDry, note }) => isDry || note !== null, { path: ['note'], error: 'Say why' })

/** Number of events or mails that are tried again; with `dry_run`, how many there are. */
export const retryResultSchema = z.object({ count: z.int() })

/** An endpoint in trouble, in the form that administrators see. */
export const troubledEndpointSchema = z.object({
  webhook_config_id: z.uuid(),
  webhook_name: z.string(),
  endpoint_host: z.string(),
  is_active: z.boolean(),
  /** the same status that its client sees (core/domain/webhooks/endpoint-status.ts) */
  standing: endpointHealthSchema.shape.standing,
  client: clientSchema,
  breaker: z.enum(['closed', 'open']),
  failing_since: z.string().nullable(),
  failures_in_row: z.int(),
  last_reason: errorClassSchema.nullable(),
  /** number of waiting ones that are held until the webhook is on, or the endpoint answers */
  held: z.int(),
  /** unfinished deliveries, as its client sees them; `waiting_more` if there are more than are counted */
  waiting: z.int(),
  waiting_more: z.boolean(),
})
export type TroubledEndpoint = z.infer<typeof troubledEndpointSchema>
