import { z } from 'zod'

/** Events that clients can subscribe to (docs/contract.md §5). */
export const DELIVERABLE_EVENTS = ['lead.created', 'lead.assigned'] as const
export const deliverableEventSchema = z.enum(DELIVERABLE_EVENTS)
export type DeliverableEvent = z.infer<typeof deliverableEventSchema>

/**
 * Events beside the lead. A webhook chooses each of them (`events` of its configuration), and gets it in a template of
 * its own, never in its template for leads (docs/contract.md §5).
 */
export const CLIENT_EVENTS = [
  'lead.returned',
  'lead.consent_revoked',
  'lead.reassigned',
  'order.cap_reached',
  'order.paused',
  'balance.low',
  'balance.out',
  'webhook.failing',
  'webhook.disabled',
  'statement.ready',
] as const
export const clientEventSchema = z.enum(CLIENT_EVENTS)
export type ClientEvent = z.infer<typeof clientEventSchema>

const clientEvents: ReadonlySet<string> = new Set(CLIENT_EVENTS)

/** Whether a delivery of this type is of an event beside the lead. */
export function isClientEvent(type: string): type is ClientEvent {
  return clientEvents.has(type)
}

/** Every type that a delivery may have. */
export const sentEventSchema = z.enum([...DELIVERABLE_EVENTS, ...CLIENT_EVENTS])
export type SentEvent = z.infer<typeof sentEventSchema>

/**
 * Every event of leads that makes deliveries by the two triggers. `lead.given` is sent as `lead.assigned`, to the webhooks of the person to whom the
 * lead was given inside its account.
 */
export const PLANNED_EVENTS = [...DELIVERABLE_EVENTS, 'lead.given'] as const

/** The values of `{{event}}` in a template: the type that is sent, or `test` from Test Endpoint. */
export type PayloadEvent = SentEvent | 'test'

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
  /** an administrator moved the lead on: this client lost it */
  'lead.reassigned',
  /** the person revoked their consent: this client may not contact them any more */
  'lead.consent_revoked',
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
