import { z } from 'zod'

/** Events that clients can subscribe to (docs/contract.md §5). */
export const DELIVERABLE_EVENTS = ['lead.created', 'lead.assigned'] as const
export const deliverableEventSchema = z.enum(DELIVERABLE_EVENTS)
export type DeliverableEvent = z.infer<typeof deliverableEventSchema>

/**
 * Every event that makes deliveries. `lead.given` is sent as `lead.assigned`, to the webhooks of the person to whom the
 * lead was given inside its account.
 */
export const PLANNED_EVENTS = [...DELIVERABLE_EVENTS, 'lead.given'] as const

/** The values of `{{event}}` in a template: the two above, and `test` from Test Endpoint. */
export type PayloadEvent = DeliverableEvent | 'test'

/**
 * Every event of a lead's timeline; only the deliverable ones are planned as deliveries. The order is causal: events of
 * one transaction have the same time, and the earlier in this list led to the later.
 */
export const EVENT_TYPES = [
  ...DELIVERABLE_EVENTS,
  /** a lead without a client is for sale */
  'lead.offered',
  'lead.unassigned',
  /** inside its client's account the lead was given to a person, or to nobody in particular */
  'lead.given',
  'lead.viewed',
  /** a client's CRM posted what became of the lead; changes that follow from it come after it */
  'lead.outcome_received',
  'lead.disposition_changed',
  'lead.notes_changed',
  'lead.return_requested',
  'lead.return_withdrawn',
  'lead.return_denied',
  /** a return was approved: the client got the money back and lost the lead */
  'lead.returned',
  'lead.erased',
  /** a lead did not meet the conditions of a webhook, so nothing was planned there */
  'delivery.skipped',
  'delivery.succeeded',
  'delivery.failed',
  'delivery.cancelled',
  /** an administrator sent a finally failed delivery again */
  'delivery.redriven',
] as const
export const eventTypeSchema = z.enum(EVENT_TYPES)
export type EventType = z.infer<typeof eventTypeSchema>

/**
 * An event of the lead's timeline, as `GET /api/v1/leads/:id` returns it. `data` holds ids and reasons, never personal
 * data. While two versions run side by side, a reader may not know the type, and then shows its name.
 */
export const timelineEventSchema = z.object({
  id: z.uuid(),
  type: eventTypeSchema.or(z.string()),
  created_at: z.string(),
  data: z.record(z.string(), z.unknown()),
})
export type TimelineEvent = z.infer<typeof timelineEventSchema>

/**
 * `data` of a `lead.created` whose lead had fields that could not be stored: their names as sent, and the number of
 * further ones.
 */
export const leftOutSchema = z.object({ left_out: z.array(z.string()), left_out_more: z.int() })
export type LeftOut = z.infer<typeof leftOutSchema>
