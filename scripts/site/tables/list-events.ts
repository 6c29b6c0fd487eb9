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
  /** the form's switch, and the field behind it */
  label: string
  field: keyof NewWebhookConfig
}

const SENT: Readonly<Record<DeliverableEvent, SentEvent>> = {
  'lead.created': {
    when: 'A lead that is yours from the start came in; it is not assigned yet',
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
  'lead.offered': 'It was offered for sale',
  'lead.unassigned': 'No order took it',
  'lead.given': 'Inside its account it was given to a person',
  'lead.viewed': 'Its client opened it for the first time',
  'lead.outcome_received': 'A CRM of its client posted an outcome',
  'lead.disposition_changed': 'Its client changed the disposition',
  'lead.notes_changed': 'Its client changed the notes, whose text the event does not contain',
  'lead.return_requested': 'Its client asked to return it',
  'lead.return_withdrawn': 'The client withdrew that request',
  'lead.return_denied': 'That request was denied',
  'lead.returned': 'It was returned and credited',
  'lead.reassigned': 'An administrator moved it to another client',
  'lead.consent_revoked': 'The person revoked their consent',
  'lead.erased': 'The person’s details were erased',
  'delivery.skipped': 'It did not match the conditions of a webhook',
  'delivery.succeeded': 'An endpoint accepted it',
  'delivery.failed': 'A delivery finally failed',
  'delivery.cancelled': 'A person stopped a delivery',
  'delivery.redriven': 'An administrator sent a failed delivery again',
}

/** The events that webhooks receive, the form's switch for each, and its default in a new webhook. */
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

/** The events on the timeline of a lead. */
export function listTimeline(): string {
  return writeTable(
    ['Event', 'What happened'],
    EVENT_TYPES.map((event) => [asCode(event), TOLD[event]]),
  )
}
