import { z } from 'zod'
import { clientSchema } from '../accounts/named-client.ts'

/** Limit of clients in `GET /api/v1/admin/waits`: those that have waited longest. */
export const WAITING_CLIENTS = 20
/** Limit of one client's endpoints in `GET /api/v1/admin/waits/:id`, and of all endpoints in the worker's metrics. */
export const WAITING_ENDPOINTS = 100
/** Limit of counted deliveries of a client, shared among its endpoints: beyond it the number no longer matters. */
export const WAITS_COUNTED = 5000

/**
 * The speed class of an endpoint: `new` until it has answered, `slow` while it takes too long
 * (core/fairness/README.md).
 */
export const standingSchema = z.enum(['new', 'proved', 'slow'])
export type EndpointStanding = z.infer<typeof standingSchema>

/** The reasons why a delivery has not begun; core/domain/webhooks/why-waiting.ts has a sentence for each. */
export const WAIT_REASONS = [
  /** it has begun: a worker has its lease */
  'in_progress',
  'switched_off',
  /** administrators have paused all sending to the client */
  'sending_paused',
  /** it was planned while its webhook was off: its owner sends or discards it */
  'offered',
  'not_due',
  /** it waits for the sending hours of its configuration */
  'outside_hours',
  'breaker_open',
  /** its endpoint has had as many requests of this minute as its owner allows */
  'endpoint_rate',
  'redis_away',
  'no_worker',
  'queue_paused',
  /** its endpoint has never answered and has reached the limit of requests for such endpoints */
  'endpoint_new',
  /** all such endpoints of its client have reached their common limit */
  'newcomers',
  /** all such endpoints of all clients have reached their common limit */
  'new_full',
  'endpoint_slow',
  'endpoint_full',
  /** its endpoint is slow, or did not answer or asked for less a short time ago, and has a request under way */
  'endpoint_strained',
  'client_share',
  'slots_full',
  /**
   * its payloads are heavy while other clients are active: it may wait for their rate limit
   * (worker/dispatch/heavy-payloads.ts)
   */
  'heavy_payloads',
  /** it has low priority behind other clients' first attempts */
  'gives_way',
  'next',
] as const
export type WaitCode = (typeof WAIT_REASONS)[number]
/**
 * The reason as the API sends it. Pages of an earlier version do not know `offered`, `sending_paused` and
 * `endpoint_rate`, so these are sent under another code, and the sentence beside it tells them apart.
 */
export const waitCodeSchema = z.enum(
  WAIT_REASONS.filter(
    (reason): reason is Exclude<WaitCode, 'offered' | 'sending_paused' | 'endpoint_rate'> =>
      reason !== 'offered' && reason !== 'sending_paused' && reason !== 'endpoint_rate',
  ),
)

export const waitReasonSchema = z.object({
  code: waitCodeSchema,
  /** when its next attempt is planned, or when its endpoint is probed */
  until: z.string().nullable(),
  sentence: z.string(),
})

/** `more_…`: counting stopped there, after {@link WAITS_COUNTED}. */
const countsSchema = z.object({
  /** due, and no worker has it */
  waiting: z.int(),
  more_waiting: z.boolean(),
  /** due time of the one that waits longest; null if none waits */
  oldest_due_at: z.string().nullable(),
  /** a worker has it now */
  in_flight: z.int(),
  /** planned for a later time: retries */
  later: z.int(),
  more_later: z.boolean(),
  /** its webhook is switched off, or its endpoint does not answer */
  held: z.int(),
  more_held: z.boolean(),
})

export const waitingClientSchema = countsSchema.extend({ client: clientSchema })
export type WaitingClient = z.infer<typeof waitingClientSchema>

/** Workers that reported a short time ago, and the number of deliveries that they may have in flight. */
export const presentWorkersSchema = z.object({ count: z.int(), slots: z.int() })
export type PresentWorkers = z.infer<typeof presentWorkersSchema>

/** `GET /api/v1/admin/waits`: clients that have waited longest first, then those that only have something in flight. */
export const waitsSchema = z.object({
  data: z.array(waitingClientSchema),
  /** number of clients with something due that no worker has */
  clients: z.int(),
  /** null while Redis is away */
  workers: presentWorkersSchema.nullable(),
})
export type Waits = z.infer<typeof waitsSchema>

/** An endpoint of one client, and the reason why the delivery that has waited longest there has not begun. */
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
