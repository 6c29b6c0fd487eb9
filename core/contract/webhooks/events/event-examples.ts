import type { ClientEvent } from '../../events.ts'
import type { EventData } from './event-data.ts'

const LEAD = {
  lead_id: '01993a7c-5f0e-7c55-9d0b-3f6f6f1b2a01',
  external_id: 'FB-48213',
  receiver_id: '00Q5g00000ABCDE',
}
const ORDER = { order_id: '01993a7c-5f0e-7c55-9d0b-3f6f6f1b2a02', order_name: 'Final expense, Texas' }
const WEBHOOK = { webhook_id: '01993a7c-5f0e-7c55-9d0b-3f6f6f1b2a03', webhook_name: 'Dialer' }

/** An example of each event's data, as a webhook without a template of its own gets it (beside the frame). */
export const EVENT_EXAMPLES: { readonly [Type in ClientEvent]: EventData<Type> } = {
  'lead.returned': {
    ...LEAD,
    return_id: '01993a7c-5f0e-7c55-9d0b-3f6f6f1b2a04',
    reason: 'disconnected_number',
    credited: 25,
  },
  'lead.consent_revoked': {
    ...LEAD,
    revocation_id: '01993a7c-5f0e-7c55-9d0b-3f6f6f1b2a05',
    revoked_at: '2026-11-25T15:04:05.000Z',
    reported_by: 'consumer',
  },
  'lead.reassigned': { ...LEAD, reason: 'taken_back', credited: 25 },
  'order.cap_reached': { ...ORDER, cap: 'daily', cap_limit: 50, opens_at: '2026-11-26T05:00:00.000Z' },
  'order.paused': { ...ORDER, paused_by: 'administrator' },
  'balance.low': { balance: 48.5, threshold: 100 },
  'balance.out': { balance: 3.5 },
  'webhook.failing': {
    ...WEBHOOK,
    failing_since: '2026-11-25T14:58:00.000Z',
    failures_in_row: 20,
    last_error: 'The endpoint answered 503.',
  },
  'webhook.disabled': {
    ...WEBHOOK,
    reason: 'The endpoint answered 410.',
    disabled_at: '2026-11-25T15:04:05.000Z',
  },
  'statement.ready': { month: '2026-10', number: 117, opening: 500, closing: 123.5 },
}

/** The frame of the examples. */
export const EXAMPLE_FRAME = {
  event_id: '01993a7c-5f0e-7c55-9d0b-3f6f6f1b2aff',
  occurred_at: '2026-11-25T15:04:05.000Z',
  client_id: '01993a7c-5f0e-7c55-9d0b-3f6f6f1b2a07',
  delivery_id: '01993a7c-5f0e-7c55-9d0b-3f6f6f1b2a08',
  sent_at: '2026-11-25T15:04:06.000Z',
} as const
