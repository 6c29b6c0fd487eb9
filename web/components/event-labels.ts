import { isClientEvent, type ClientEvent } from '#core/contract/events.ts'

const LABELS: Readonly<Record<ClientEvent, string>> = {
  'lead.returned': 'Lead returned',
  'lead.consent_revoked': 'Consent revoked',
  'lead.reassigned': 'Lead reassigned',
  'order.cap_reached': 'Order reached a cap',
  'order.paused': 'Order paused',
  'balance.low': 'Balance low',
  'balance.out': 'Balance used up',
  'webhook.failing': 'Webhook failing',
  'webhook.disabled': 'Webhook switched off',
  'statement.ready': 'Statement ready',
}

/** Names an event beside the lead; undefined for an event of a lead, or one of a newer version. */
export function labelClientEvent(type: string): string | undefined {
  return isClientEvent(type) ? LABELS[type] : undefined
}
