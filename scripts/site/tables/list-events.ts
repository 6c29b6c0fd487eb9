import {
  DELIVERABLE_EVENTS,
  EVENT_TYPES,
  type DeliverableEvent,
  type EventType,
} from '#core/contract/events.ts'
import { newWebhookConfigSchema, type NewWebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { asCode, writeTable } from './write-table.ts'

interface SentEvent {
  when: string
  /** the switch of the form, and the field behind it */
  label: string
  field: keyof NewWebhookConfig
}

const SENT: Readonly<Record<DeliverableEvent, SentEvent>> = {
  'lead.created': {
    when: 'A lead of yours came in, before it is assigned',
    label: 'Trigger when lead is received',
    field: 'trigger_on_lead_created',
  },
  'lead.assigned': {
    when: 'A lead was assigned to you',
    label: 'Trigger when lead is assigned',
    field: 'trigger_on_lead_assigned',
  },
}

const TOLD: Readonly<Record<EventType, string>> = {
  'lead.created': 'The lead came in',
  'lead.assigned': 'It was assigned to a client',
  'lead.offered': 'It is to be sold on the market',
  'lead.unassigned': 'Nobody took it',
  'lead.viewed': 'Its client opened it for the first time',
  'lead.disposition_changed': 'Its client said what became of it',
  'lead.return_requested': 'Its client asked to give it back',
  'lead.return_withdrawn': 'The request was withdrawn',
  'lead.return_denied': 'The request was denied',
  'lead.returned': 'It was given back and credited',
  'lead.erased': 'The person was erased',
  'delivery.skipped': 'A webhook was not sent it, because of its conditions',
  'delivery.succeeded': 'A webhook took it',
  'delivery.failed': 'A delivery has finally failed',
  'delivery.cancelled': 'A person stopped a delivery',
  'delivery.redriven': 'An administrator sent again what had finally failed',
}

/** What is sent to webhooks, the switch of the form that asks for it, and how that stands in a new webhook. */
export function listEvents(): string {
  const fresh = newWebhookConfigSchema.parse({ webhook_name: 'New', endpoint_url: 'https://crm.example.com' })
  const rows = DELIVERABLE_EVENTS.map((event) => {
    const { when, label, field } = SENT[event]
    return [asCode(event), when, `*${label}*, ${asCode(field)}`, fresh[field] === true ? 'on' : 'off']
  })
  return writeTable(
    ['Event', 'When', 'Switch in the form and in the API', 'In a new webhook'],
    [...rows, [asCode('test'), 'You pressed *Test Endpoint*', '–', '–']],
  )
}

/** What stands on the timeline of a lead. */
export function listTimeline(): string {
  return writeTable(
    ['Event', 'What happened'],
    EVENT_TYPES.map((event) => [asCode(event), TOLD[event]]),
  )
}
