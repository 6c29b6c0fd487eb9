import { z } from 'zod'

/**
 * Queue and job names of docs/contract.md §5. Jobs carry ids, never lead data, because Redis holds them in clear text.
 */
export const LEAD_EVENTS_QUEUE = 'lead-events'
/**
 * Events beyond the token bucket of core/fairness/priorities.ts: the excess of a burst, which holds none of the other
 * events' slots.
 */
export const EVENT_BURSTS_QUEUE = 'lead-events-burst'
/** Leads for sale. */
export const LEAD_MARKET_QUEUE = 'lead-market'
/** Wake-ups for deliveries, which wait as rows in PostgreSQL. */
export const DELIVERIES_QUEUE = 'webhook-deliveries'

export const DELIVERY_JOB_NAME = 'deliver'

/** Limit of events in one job, so low that no event waits long for the others. */
export const EVENTS_PER_JOB = 25

/** An event's client, or null if it has none, and its type. From these the worker predicts its deliveries. */
const heardBySchema = z.object({ client: z.guid().nullable(), type: z.string() })
export type HeardBy = z.infer<typeof heardBySchema>

/** Data of a job on `lead-events`: an event, and those that came with it. */
export const eventJobSchema = z.object({
  event_id: z.uuid(),
  further_event_ids: z
    .array(z.uuid())
    .max(EVENTS_PER_JOB - 1)
    .optional(),
  /**
   * One entry for each event, in their order. It is only a hint, so an unreadable entry does not invalidate the job.
   */
  heard: z.array(heardBySchema).catch([]),
})
export type EventJob = z.infer<typeof eventJobSchema>

/** Data of a job on `webhook-deliveries`: the endpoints that have something due. */
export const wakeUpJobSchema = z.object({
  /**
   * one of the first endpoint's deliveries; like `attempt`, it is there for workers that cannot read a wake-up without
   * it
   */
  delivery_id: z.uuid().optional(),
  webhook_config_id: z.uuid(),
  client_user_id: z.guid(),
  /** from 1 */
  attempt: z.int().min(1).optional(),
  /** number of due deliveries there */
  count: z.int().min(1),
  /** further endpoints: client, configuration, number of deliveries */
  more: z.array(z.tuple([z.guid(), z.uuid(), z.int().min(1)])).optional(),
  /** the trace that each delivery continues, if requests are traced */
  traces: z.record(z.uuid(), z.string()).optional(),
})
export type WakeUpJob = z.infer<typeof wakeUpJobSchema>

/** Job ids may hold no colon and must not be digits only (BullMQ). BullMQ ignores an id while its job exists. */
export const eventJobId = (eventId: string): string => `evt-${eventId}`
