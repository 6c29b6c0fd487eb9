import { DELIVERY_STATES, type DeliveryState } from '#core/contract/webhooks/delivery.ts'
import { DISPOSITIONS, LEAD_STATUSES, type LeadStatus } from '#core/contract/leads/lead.ts'
import { asCode, writeTable } from './write-table.ts'

const DELIVERY: Readonly<Record<DeliveryState, string>> = {
  pending: 'It waits for its first or next attempt, or is being sent',
  held: 'It waits for its webhook (switched off, or the endpoint does not answer), or for you, because it came while the webhook was off',
  delivered: 'The endpoint took it. Final',
  failed: 'No attempt is left, or the answer forbids another. Final, until you send it again',
  cancelled:
    'A person stopped it, or nobody decided for 30 days about what came while the webhook was off. Final',
}
const LEAD: Readonly<Record<LeadStatus, string>> = {
  new: 'It is stored',
  assigned: 'A client has it',
  unassigned: 'Nobody wanted it yet; it is offered again',
  duplicate:
    'The same person was sold for this type a short time before, within 30 days unless the installation says otherwise (`LEAD_DUPLICATE_DAYS`); it is not sold',
  rejected: 'The person is on the suppression list; it is not sold',
  expired: 'Nobody wanted it while it was held',
  returned: 'Its client gave it back, and nobody else has it',
  redacted: 'The person was erased',
}

/** Where a delivery may stand. */
export function listDeliveryStates(): string {
  return writeTable(
    ['State', 'What it means'],
    DELIVERY_STATES.map((state) => [asCode(state), DELIVERY[state]]),
  )
}

/** What the system says of a lead, and what its client may say of it. */
export function listLeadStates(): string {
  const statuses = writeTable(
    ['Status', 'What it means'],
    LEAD_STATUSES.map((state) => [asCode(state), LEAD[state]]),
  )
  return `${statuses}\n\nA client sets the disposition: ${DISPOSITIONS.map(asCode).join(', ')}.`
}
