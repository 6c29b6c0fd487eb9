import { z } from 'zod'

/** Queue and job names of docs/contract.md §5. Jobs carry ids, never lead data: they lie in Redis in clear text. */
export const LEAD_EVENTS_QUEUE = 'lead-events'
/** Events beyond the measure of core/fairness/turns.ts: the excess of a burst, which holds none of the slots of the others. */
export const EVENT_BURSTS_QUEUE = 'lead-events-burst'
/** First attempts. Retries have a queue of their own, so that a backlog of them never stands before a fresh lead. */
export const DELIVERIES_QUEUE = 'webhook-deliveries'
export const RETRIES_QUEUE = 'webhook-deliveries-retry'
/** First attempts beyond the measure of core/fairness/turns.ts: the excess of a burst, which gives way to everybody else. */
export const BURSTS_QUEUE = 'webhook-deliveries-burst'
/** Their deliveries leave processor and database to first attempts (core/fairness/give-way.ts). */
export const GIVING_WAY: ReadonlySet<string> = new Set([BURSTS_QUEUE, RETRIES_QUEUE])

export const DELIVERY_JOB_NAME = 'deliver'

/** Data of a job on `lead-events`. */
export const eventJobSchema = z.object({ event_id: z.uuid() })
export type EventJob = z.infer<typeof eventJobSchema>

/** Data of a job on the delivery queues: which delivery, whose, and which attempt (from 1) it stands for. */
export const deliveryJobSchema = z.object({
  delivery_id: z.uuid(),
  webhook_config_id: z.uuid(),
  /** a job of an older version has none */
  client_user_id: z.uuid().optional(),
  attempt: z.int().min(1),
})
export type DeliveryJob = z.infer<typeof deliveryJobSchema>

/** The queue of a delivery's next attempt. */
export function deliveryQueueOf({ attempt, turn }: { attempt: number; turn: number }): string {
  if (attempt > 1) return RETRIES_QUEUE
  return turn === 0 ? DELIVERIES_QUEUE : BURSTS_QUEUE
}

/** Job ids may hold no colon and must not be digits only (BullMQ). The same id while the job exists is ignored. */
export const eventJobId = (eventId: string): string => `evt-${eventId}`
export const deliveryJobId = (deliveryId: string, attempt: number): string => `dlv-${deliveryId}-${attempt}`
