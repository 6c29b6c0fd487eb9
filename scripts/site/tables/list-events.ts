import {
  DELIVERABLE_EVENTS,
  EVENT_TYPES,
  type DeliverableEvent,
  type EventType,
} from '#core/contract/events.ts'
import { asCode, writeTable } from './write-table.ts'

const SENT: Readonly<Record<DeliverableEvent, readonly [string, string]>> = {
  'lead.created': ['A lead of yours came in, before it is assigned', 'Trigger when lead is received'],
  'lead.assigned': ['A lead was assigned to you', 'Trigger when lead is assigned'],
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

/** What is sent to webhooks, and the switch of the form that asks for it. */
export function listEvents(): string {
  const rows = DELIVERABLE_EVENTS.map((event) => [asCode(event), ...SENT[event]])
  return writeTable(
    ['Event', 'When', 'Switch in the form'],
    [...rows, [asCode('test'), 'You pressed Test Endpoint', '–']],
  )
}

/** What stands on the timeline of a lead. */
export function listTimeline(): string {
  return writeTable(
    ['Event', 'What happened'],
    EVENT_TYPES.map((event) => [asCode(event), TOLD[event]]),
  )
}
