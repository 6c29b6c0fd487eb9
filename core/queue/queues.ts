import { z } from 'zod'

/** Queue and job names of docs/contract.md §5. Jobs carry ids, never lead data: they lie in Redis in clear text. */
export const LEAD_EVENTS_QUEUE = 'lead-events'
/** Events beyond the measure of core/fairness/priorities.ts: the excess of a burst, which holds none of the slots of the others. */
export const EVENT_BURSTS_QUEUE = 'lead-events-burst'
/** Leads that are to be sold. */
export const LEAD_MARKET_QUEUE = 'lead-market'
/** Wake-ups for deliveries, which wait as rows in PostgreSQL. */
export const DELIVERIES_QUEUE = 'webhook-deliveries'

export const DELIVERY_JOB_NAME = 'deliver'

/** Events that one job stands for at most: few enough that none waits for the others for long. */
export const EVENTS_PER_JOB = 25

/** An event's client, null where it has none, and its type. By these the worker foresees where it goes. */
const heardBySchema = z.object({ client: z.guid().nullable(), type: z.string() })
export type HeardBy = z.infer<typeof heardBySchema>

/** Data of a job on `lead-events`: an event, and those that came with it. */
export const eventJobSchema = z.object({
  event_id: z.uuid(),
  further_event_ids: z
    .array(z.uuid())
    .max(EVENTS_PER_JOB - 1)
    .optional(),
  /** One for each event, in their order. It is only a hint, so one that cannot be read does not cost the job. */
  heard: z.array(heardBySchema).catch([]),
})
export type EventJob = z.infer<typeof eventJobSchema>

/** Data of a job on `webhook-deliveries`: at whose endpoints something is due. */
export const wakeUpJobSchema = z.object({
  /** one of the first endpoint's deliveries; like `attempt` only there for workers that cannot read a wake-up without it */
  delivery_id: z.uuid().optional(),
  webhook_config_id: z.uuid(),
  client_user_id: z.guid(),
  /** from 1 */
  attempt: z.int().min(1).optional(),
  /** deliveries that are due there */
  count: z.int().min(1),
  /** other endpoints: client, configuration, deliveries */
  more: z.array(z.tuple([z.guid(), z.uuid(), z.int().min(1)])).optional(),
  /** where requests are traced: the trace that each delivery continues */
  traces: z.record(z.uuid(), z.string()).optional(),
})
export type WakeUpJob = z.infer<typeof wakeUpJobSchema>

/** Job ids may hold no colon and must not be digits only (BullMQ). The same id while the job exists is ignored. */
export const eventJobId = (eventId: string): string => `evt-${eventId}`
