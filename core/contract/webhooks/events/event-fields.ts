import type { ClientEvent } from '../../events.ts'
import type { EventData } from './event-data.ts'

/**
 * The kind of a value in an event, which decides which formats of templates fit it. `dollars` and `whole` are numbers;
 * an `id` is text.
 */
export type EventFieldKind = 'id' | 'text' | 'dollars' | 'whole' | 'moment'

/** One value of an event, and the placeholder of that name in its template. */
export interface EventField {
  kind: EventFieldKind
  means: string
  /** whether it may be null */
  isOptional?: true
}

type Fields<Names extends string> = Readonly<Record<Names, EventField>>

const id = (means: string): EventField => ({ kind: 'id', means })
const text = (means: string): EventField => ({ kind: 'text', means })
const dollars = (means: string): EventField => ({ kind: 'dollars', means: `${means}, dollars` })
const whole = (means: string): EventField => ({ kind: 'whole', means })
const moment = (means: string): EventField => ({ kind: 'moment', means })
const orNull = (field: EventField): EventField => ({ ...field, isOptional: true })

const leadFields = {
  lead_id: id('Lead id'),
  external_id: orNull(text('The id that the source gave the lead')),
  receiver_id: orNull(
    text('The id that your own system gave the lead, if a webhook of yours reads it from answers'),
  ),
}
const orderFields = { order_id: id('Order id'), order_name: text('Name of the order at that moment') }
const webhookFields = {
  webhook_id: id('Id of the webhook that has the trouble'),
  webhook_name: text('Its name at that moment'),
}

/** Every template of an event may name these beside its data. */
export const FRAME_FIELDS = {
  event: text('Type of the event'),
  event_id: id('Event id: the same on every retry and resend, and the header `webhook-id`'),
  occurred_at: moment('When it happened (ISO 8601, UTC)'),
  client_id: id('Your client id'),
  delivery_id: id('Delivery id'),
  sent_at: moment('When this attempt was sent (ISO 8601, UTC)'),
} as const satisfies Readonly<Record<string, EventField>>

/** Each event beside the lead: when it happens, for its client, and its data (event-data.ts has the schemas). */
export const CLIENT_EVENT_FIELDS: {
  readonly [Type in ClientEvent]: { means: string; fields: Fields<keyof EventData<Type> & string> }
} = {
  'lead.returned': {
    means: 'A lead was returned or taken back. You do not hold it any more: stop calling.',
    fields: {
      ...leadFields,
      return_id: id('Id of the return'),
      reason: text('The reason of the return'),
      credited: dollars('What was credited'),
    },
  },
  'lead.consent_revoked': {
    means: 'The person revoked their consent. Never contact them again.',
    fields: {
      ...leadFields,
      revocation_id: id('Id of the revocation'),
      revoked_at: moment('When the person revoked'),
      reported_by: text('Who reported it: `consumer`, `source`, `client` or `administrator`'),
    },
  },
  'lead.reassigned': {
    means: 'An administrator moved a lead of yours to another client.',
    fields: {
      ...leadFields,
      reason: text('Why the lead was taken from you'),
      credited: dollars('What was credited'),
    },
  },
  'order.cap_reached': {
    means: 'An order has reached a cap or a budget of its day, week or month.',
    fields: {
      ...orderFields,
      cap: text('Which one: `daily`, `weekly`, `monthly`, `total`, `daily_budget` or `monthly_budget`'),
      cap_limit: dollars('Its limit: leads; of a budget'),
      opens_at: orNull(moment('When the next day, week or month begins; null for the total')),
    },
  },
  'order.paused': {
    means: 'You or an administrator paused an order.',
    fields: { ...orderFields, paused_by: text('Who paused it: `client` is you, or `administrator`') },
  },
  'balance.low': {
    means: 'Your balance fell below the amount you chose.',
    fields: {
      balance: dollars('Your balance'),
      threshold: dollars('The amount below which you asked to be told'),
    },
  },
  'balance.out': {
    means: 'Your balance no longer pays for a lead that you ordered.',
    fields: { balance: dollars('Your balance, which buys no further lead') },
  },
  'webhook.failing': {
    means: 'Another of your webhooks keeps failing.',
    fields: {
      ...webhookFields,
      failing_since: moment('When the first of the failures in a row happened'),
      failures_in_row: whole('Failed attempts in a row so far'),
      last_error: orNull(text('The last failure in a few words')),
    },
  },
  'webhook.disabled': {
    means: 'The system switched off another of your webhooks.',
    fields: {
      ...webhookFields,
      reason: text('Why it was switched off'),
      disabled_at: moment('When it was switched off'),
    },
  },
  'statement.ready': {
    means: 'A month of your balance is complete, and has its statement.',
    fields: {
      month: text('The month in the time zone of your account, as 2026-11'),
      number: whole('Number of the statement'),
      opening: dollars('Your balance when the month began'),
      closing: dollars('Your balance when it ended'),
    },
  },
}

/** Every placeholder of an event's template by its name: those of the frame, then its data. */
export function fieldsOfEvent(event: ClientEvent): ReadonlyMap<string, EventField> {
  return new Map<string, EventField>([
    ...Object.entries(FRAME_FIELDS),
    ...Object.entries<EventField>(CLIENT_EVENT_FIELDS[event].fields),
  ])
}

/** Members of the frame that a default template leaves out: the headers of the request have them. */
const ONLY_ON_WISH = new Set(['client_id', 'delivery_id', 'sent_at'])

/** The template of an event for which a webhook has none of its own: each member mapped to its placeholder. */
export function defaultEventTemplate(event: ClientEvent): Record<string, string> {
  const names = [...fieldsOfEvent(event).keys()].filter((name) => !ONLY_ON_WISH.has(name))
  return Object.fromEntries(names.map((name) => [name, `{{${name}}}`]))
}
