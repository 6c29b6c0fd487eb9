import { z } from 'zod'
import { isClientEvent, type ClientEvent } from '../../events.ts'

const id = z.guid()
const text = z.string()
const moment = z.iso.datetime({ offset: true })
const dollars = z.number()

/** An event names its lead by ids alone, because its client may not hold the person's data any more. */
const leadFields = { lead_id: id, external_id: text.nullable(), receiver_id: text.nullable() }
const orderFields = { order_id: id, order_name: text }
const webhookFields = { webhook_id: id, webhook_name: text }

/**
 * The data of each event beside the lead, by its type (docs/contract.md §5); event-fields.ts says what each member means.
 * Each is a placeholder of the event's template. Amounts are dollars, moments ISO 8601 in UTC.
 */
export const EVENT_DATA = {
  'lead.returned': z.object({ ...leadFields, return_id: id, reason: text, credited: dollars }),
  'lead.consent_revoked': z.object({
    ...leadFields,
    revocation_id: id,
    revoked_at: moment,
    reported_by: z.enum(['consumer', 'source', 'client', 'administrator']),
  }),
  'lead.reassigned': z.object({ ...leadFields, reason: text, credited: dollars }),
  'order.cap_reached': z.object({
    ...orderFields,
    cap: z.enum(['daily', 'weekly', 'monthly', 'total', 'daily_budget', 'monthly_budget']),
    cap_limit: z.number(),
    opens_at: moment.nullable(),
  }),
  'order.paused': z.object({ ...orderFields, paused_by: z.enum(['client', 'administrator']) }),
  'balance.low': z.object({ balance: dollars, threshold: dollars }),
  'balance.out': z.object({ balance: dollars }),
  'webhook.failing': z.object({
    ...webhookFields,
    failing_since: moment,
    failures_in_row: z.int(),
    last_error: text.nullable(),
  }),
  'webhook.disabled': z.object({ ...webhookFields, reason: text, disabled_at: moment }),
  'statement.ready': z.object({ month: text, number: z.int(), opening: dollars, closing: dollars }),
} as const satisfies Record<ClientEvent, z.ZodObject>

export type EventData<Type extends ClientEvent> = z.infer<(typeof EVENT_DATA)[Type]>

/** The members of {@link EventData} that are read when the event is sent; all others are stored with the event. */
type ReadAtSending = keyof typeof leadFields

/** The data that its writer stores with an event. */
export type StoredEventData<Type extends ClientEvent> = Omit<EventData<Type>, ReadAtSending>

/** Every payload of an event may name these beside its data. */
export const EVENT_FRAME = z.object({
  event: text,
  event_id: id,
  occurred_at: moment,
  client_id: id,
  delivery_id: id,
  sent_at: moment,
})

/** The templates of events that a configuration stores, each as its text, by the event's type. */
export function readEventTemplates(stored: unknown): Partial<Record<ClientEvent, string>> {
  if (typeof stored !== 'object' || stored === null) return {}
  return Object.fromEntries(
    Object.entries(stored).filter(([type, template]) => isClientEvent(type) && typeof template === 'string'),
  )
}
