import { z } from 'zod'
import { isClientEvent, type ClientEvent } from '../../events.ts'

const id = (means: string) => z.guid().describe(means)
const text = (means: string) => z.string().describe(means)
const moment = (means: string) => z.iso.datetime({ offset: true }).describe(means)
const dollars = (means: string) => z.number().describe(`${means}, dollars`)

/** What an event tells of its lead: ids alone, because its client may not hold the person's data any more. */
const leadFields = {
  lead_id: id('Lead id'),
  external_id: text('The id that the source gave the lead').nullable(),
  receiver_id: text(
    'The id that your own system gave the lead, if the webhook reads it from answers',
  ).nullable(),
}
const orderFields = { order_id: id('Order id'), order_name: text('Name of the order at that moment') }
const webhookFields = {
  webhook_id: id('Id of the webhook that has the trouble'),
  webhook_name: text('Its name at that moment'),
}

/**
 * The data of each event beside the lead, by its type (docs/contract.md §5). Each member is a placeholder of the event's
 * template. Amounts are numbers, moments ISO 8601 in UTC.
 */
export const EVENT_DATA = {
  'lead.returned': z.object({
    ...leadFields,
    return_id: id('Id of the return'),
    reason: text('Why: the reason of the return'),
    credited: dollars('What was credited'),
  }),
  'lead.consent_revoked': z.object({
    ...leadFields,
    revocation_id: id('Id of the revocation'),
    revoked_at: moment('When the person revoked'),
    reported_by: z
      .enum(['consumer', 'source', 'client', 'administrator'])
      .describe('Who reported it: the person, the source, a client or an administrator'),
  }),
  'lead.reassigned': z.object({
    ...leadFields,
    reason: text('Why the lead was taken from you'),
    credited: dollars('What was credited'),
  }),
  'order.cap_reached': z.object({
    ...orderFields,
    cap: z
      .enum(['daily', 'weekly', 'monthly', 'total', 'daily_budget', 'monthly_budget'])
      .describe('Which cap or budget was reached'),
    cap_limit: z.number().describe('Its limit: leads, or dollars of a budget'),
    opens_at: moment('When the next day, week or month begins; null for the total').nullable(),
  }),
  'order.paused': z.object({
    ...orderFields,
    paused_by: z.enum(['client', 'administrator']).describe('Who paused it: you, or an administrator'),
  }),
  'balance.low': z.object({
    balance: dollars('Your balance'),
    threshold: dollars('The amount below which you asked to be told'),
  }),
  'balance.out': z.object({ balance: dollars('Your balance, which buys no further lead') }),
  'webhook.failing': z.object({
    ...webhookFields,
    failing_since: moment('When the first of the failures in a row happened'),
    failures_in_row: z.int().describe('Failed attempts in a row so far'),
    last_error: text('The last failure in a few words').nullable(),
  }),
  'webhook.disabled': z.object({
    ...webhookFields,
    reason: text('Why it was switched off'),
    disabled_at: moment('When it was switched off'),
  }),
  'statement.ready': z.object({
    month: text('The month in the time zone of your account, as 2026-11'),
    number: z.int().describe('Number of the statement'),
    opening: dollars('Your balance when the month began'),
    closing: dollars('Your balance when it ended'),
  }),
} as const satisfies Record<ClientEvent, z.ZodObject>

export type EventData<Type extends ClientEvent> = z.infer<(typeof EVENT_DATA)[Type]>

/** The members of {@link EventData} that are read when the event is sent; all others are stored with the event. */
export type ReadAtSending = keyof typeof leadFields

/** The data that its writer stores with an event. */
export type StoredEventData<Type extends ClientEvent> = Omit<EventData<Type>, ReadAtSending>

/** What every payload of an event may name beside its data. */
export const EVENT_FRAME = z.object({
  event: text('Type of the event'),
  event_id: id('Event id: the same on every retry and resend, and the header `webhook-id`'),
  occurred_at: moment('When it happened (ISO 8601, UTC)'),
  client_id: id('Your client id'),
  delivery_id: id('Delivery id'),
  sent_at: moment('When this attempt was sent (ISO 8601, UTC)'),
})

/** The kind of a value, as formats of templates need it (core/domain/webhooks/template/formats). */
export type EventFieldKind = 'text' | 'number' | 'moment'

/** One placeholder of an event's template. */
export interface EventField {
  name: string
  kind: EventFieldKind
  means: string
  /** whether it may be null */
  isOptional: boolean
}

/** Every placeholder of an event's template: those of its frame, then its data. */
export function fieldsOfEvent(event: ClientEvent): EventField[] {
  const shape: Record<string, z.ZodType> = { ...EVENT_FRAME.shape, ...EVENT_DATA[event].shape }
  return Object.entries(shape).map(([name, schema]) => {
    const inner = schema instanceof z.ZodNullable ? schema.unwrap() : schema
    return {
      name,
      kind: inner instanceof z.ZodNumber ? 'number' : inner instanceof z.ZodISODateTime ? 'moment' : 'text',
      means: schema.description ?? (inner as z.ZodType).description ?? '',
      isOptional: schema instanceof z.ZodNullable,
    }
  })
}

/** Members of the frame that a default template leaves out: the headers of the request have them. */
const ONLY_ON_WISH = new Set(['client_id', 'delivery_id', 'sent_at'])

/** The template of an event for which a webhook has none of its own: each member mapped to its placeholder. */
export function defaultEventTemplate(event: ClientEvent): Record<string, string> {
  return Object.fromEntries(
    fieldsOfEvent(event).flatMap(({ name }) => (ONLY_ON_WISH.has(name) ? [] : [[name, `{{${name}}}`]])),
  )
}

/** The templates of events that a configuration stores, each as its text, by the event's type. */
export function readEventTemplates(stored: unknown): Partial<Record<ClientEvent, string>> {
  if (typeof stored !== 'object' || stored === null) return {}
  return Object.fromEntries(
    Object.entries(stored).filter(([type, template]) => isClientEvent(type) && typeof template === 'string'),
  )
}
