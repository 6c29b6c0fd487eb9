import { z } from 'zod'

/** Events that clients can subscribe to (docs/contract.md §5). */
export const DELIVERABLE_EVENTS = ['lead.created', 'lead.assigned'] as const
export const deliverableEventSchema = z.enum(DELIVERABLE_EVENTS)
export type DeliverableEvent = z.infer<typeof deliverableEventSchema>

/** What a template sees in `{{event}}`: the two above, and `test` from Test Endpoint. */
export type PayloadEvent = DeliverableEvent | 'test'

/**
 * Everything the lead's timeline can hold; only the deliverable ones are planned as deliveries. In the order of cause: of what
 * one transaction tells, and so at one moment, the earlier here led to the later.
 */
export const EVENT_TYPES = [
  ...DELIVERABLE_EVENTS,
  /** a lead that is nobody's is to be sold */
  'lead.offered',
  'lead.unassigned',
  'lead.viewed',
  'lead.disposition_changed',
  'lead.return_requested',
  'lead.return_withdrawn',
  'lead.return_denied',
  /** a return was approved: the client has his money back, and the lead no more */
  'lead.returned',
  'lead.erased',
  /** a lead did not fit the conditions of a webhook, so nothing was planned there */
  'delivery.skipped',
  'delivery.succeeded',
  'delivery.failed',
  'delivery.cancelled',
  /** an administrator sent what had finally failed again */
  'delivery.redriven',
] as const
export const eventTypeSchema = z.enum(EVENT_TYPES)
export type EventType = z.infer<typeof eventTypeSchema>

/**
 * A station of the lead's timeline, as `GET /api/v1/leads/:id` returns it. `data` holds ids and reasons, never personal data.
 * While versions run side by side its type may be one that the reader does not know; then it is shown by its name.
 */
export const timelineEventSchema = z.object({
  id: z.uuid(),
  type: eventTypeSchema.or(z.string()),
  created_at: z.string(),
  data: z.record(z.string(), z.unknown()),
})
export type TimelineEvent = z.infer<typeof timelineEventSchema>

/** `data` of a `lead.created` whose lead had fields that could not be kept: their names as sent, and how many more there are. */
export const leftOutSchema = z.object({ left_out: z.array(z.string()), left_out_more: z.int() })
export type LeftOut = z.infer<typeof leftOutSchema>
