import { z } from 'zod'
import { clientSchema } from './dead-letter.ts'

/** Clients in `GET /api/v1/admin/waits`: those that wait longest. */
export const WAITING_CLIENTS = 20
/** Endpoints of one client in `GET /api/v1/admin/waits/:id`, and how many of all the worker's metrics go by. */
export const WAITING_ENDPOINTS = 100
/** So many deliveries of a client are counted, shared among his endpoints: beyond it the number no longer matters. */
export const WAITS_COUNTED = 5000

/** How an endpoint is known: `new` until it has answered, `slow` while it takes too long (core/fairness/README.md). */
export const standingSchema = z.enum(['new', 'proved', 'slow'])
export type EndpointStanding = z.infer<typeof standingSchema>

/** Why a delivery has not begun; each has its sentence in core/domain/webhooks/why-waiting.ts. */
export const WAIT_REASONS = [
  /** it has begun: a worker has its lease */
  'in_progress',
  'switched_off',
  /** it came while its webhook was off: its owner sends or discards it */
  'offered',
  'not_due',
  /** for the sending hours of its configuration */
  'outside_hours',
  'breaker_open',
  'redis_away',
  'no_worker',
  'queue_paused',
  /** its endpoint has never answered and has as many requests under way as such a one gets */
  'endpoint_new',
  /** so have all such endpoints of its client together */
  'newcomers',
  /** and those of everybody */
  'new_full',
  'endpoint_slow',
  'endpoint_full',
  /** it is slow, did not answer lately, or asked for less, and has something under way */
  'endpoint_strained',
  'client_share',
  'slots_full',
  /** its payloads take long, and others are about: it may wait for the pace of such (worker/dispatch/heavy-payloads.ts) */
  'heavy_payloads',
  /** to what others send for the first time */
  'gives_way',
  'next',
] as const
export type WaitCode = (typeof WAIT_REASONS)[number]
/** As it is answered: pages of an earlier version know no `offered`. The sentence beside it tells the two apart. */
export const waitCodeSchema = z.enum(
  WAIT_REASONS.filter((reason): reason is Exclude<WaitCode, 'offered'> => reason !== 'offered'),
)

export const waitReasonSchema = z.object({
  code: waitCodeSchema,
  /** when its next attempt is planned, or when its endpoint is tried again */
  until: z.string().nullable(),
  sentence: z.string(),
})

/** `more_…`: counting stopped there, after {@link WAITS_COUNTED}. */
const countsSchema = z.object({
  /** due, and no worker has it */
  waiting: z.int(),
  more_waiting: z.boolean(),
  /** since when the one that waits longest is due; null where none waits */
  oldest_due_at: z.string().nullable(),
  /** a worker has it now */
  in_flight: z.int(),
  /** planned for a later time: retries */
  later: z.int(),
  more_later: z.boolean(),
  /** the webhook is switched off, or its endpoint does not answer */
  held: z.int(),
  more_held: z.boolean(),
})

export const waitingClientSchema = countsSchema.extend({ client: clientSchema })
export type WaitingClient = z.infer<typeof waitingClientSchema>

/** Workers that told of themselves lately, and the deliveries that they may have in flight. */
export const presentWorkersSchema = z.object({ count: z.int(), slots: z.int() })
export type PresentWorkers = z.infer<typeof presentWorkersSchema>

/** `GET /api/v1/admin/waits`: who waits longest first, then who has only something in flight. */
export const waitsSchema = z.object({
  data: z.array(waitingClientSchema),
  /** of how many clients something is due that no worker has */
  clients: z.int(),
  /** null while Redis is away */
  workers: presentWorkersSchema.nullable(),
})
export type Waits = z.infer<typeof waitsSchema>

/** An endpoint of one client, and why the delivery that has waited longest there has not begun. */
export const waitingEndpointSchema = countsSchema.extend({
  webhook_config_id: z.uuid(),
  webhook_name: z.string(),
  /** never its path or query, which may hold secrets */
  endpoint_host: z.string(),
  /** null while Redis is away */
  standing: standingSchema.nullable(),
  reason: waitReasonSchema,
})
export type WaitingEndpoint = z.infer<typeof waitingEndpointSchema>
