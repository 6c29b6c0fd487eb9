import type { EventType, TimelineEvent } from '#core/contract/events.ts'
import { words } from '../format/words.ts'

const LABELS: Readonly<Record<EventType, string>> = {
  'lead.created': 'Received',
  'lead.assigned': 'Assigned to you',
  'lead.offered': 'Offered to clients',
  'lead.unassigned': 'Not assigned',
  'lead.given': 'Given to a person',
  'lead.viewed': 'Opened',
  'lead.outcome_received': 'Outcome received',
  'lead.disposition_changed': 'Disposition changed',
  'lead.notes_changed': 'Notes changed',
  'lead.return_requested': 'Return requested',
  'lead.return_withdrawn': 'Return withdrawn',
  'lead.return_denied': 'Return denied',
  'lead.returned': 'Returned',
  'lead.reassigned': 'Moved to another client',
  'lead.consent_revoked': 'Consent revoked',
  'lead.erased': 'Personal data erased',
  'delivery.skipped': 'Not sent',
  'delivery.succeeded': 'Delivered',
  'delivery.failed': 'Delivery failed',
  'delivery.cancelled': 'Delivery cancelled',
  'delivery.redriven': 'Delivery sent again',
}

const labels = new Map<string, string>(Object.entries(LABELS))

/**
 * Labels an event of the timeline. An unknown type of a newer version is shown by its name: "lead.priced" →
 * "Lead priced".
 */
export function labelEvent(type: string, data: TimelineEvent['data'] = {}): string {
  return (
    (type === 'lead.given' ? labelGiven(data) : undefined) ??
    (type === 'lead.outcome_received' ? labelOutcome(data) : undefined) ??
    labels.get(type) ??
    words(type.replaceAll('.', ' '))
  )
}

/** Names the webhook whose CRM reported it; undefined if it was deleted. */
function labelOutcome({ webhook_name: name }: TimelineEvent['data']): string | undefined {
  return typeof name === 'string' ? `Outcome from “${name}”` : undefined
}

/** Says who got the lead; undefined if the reader, an agent, may not know. */
function labelGiven({ member_name: name, by, released }: TimelineEvent['data']): string | undefined {
  if (typeof name === 'string') return `Given to ${name}`
  if (released === true) return 'Shared again, because the person who had it no longer works on leads'
  return typeof by === 'string' ? 'Shared again' : undefined
}
