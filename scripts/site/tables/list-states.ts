import { DELIVERY_STATES, type DeliveryState } from '#core/contract/webhooks/delivery.ts'
import { DISPOSITIONS, LEAD_STATUSES, type LeadStatus } from '#core/contract/leads/lead.ts'
import { asCode, writeTable } from './write-table.ts'

const DELIVERY: Readonly<Record<DeliveryState, string>> = {
  pending: 'It waits for its next attempt, or is being sent',
  held: 'It waits because the webhook is off, because the endpoint does not answer, or for your decision because it came while the webhook was off',
  delivered: 'The endpoint accepted it; final',
  failed: 'No attempt is left, or the answer forbids another; final until you send it again',
  cancelled:
    'A person stopped it, or it came while the webhook was off and nobody decided about it for 30 days; final',
}
const LEAD: Readonly<Record<LeadStatus, string>> = {
  new: 'It is stored',
  assigned: 'A client has it',
  unassigned: 'No order took it yet; it is offered again',
  duplicate:
    'The same person was sold with this type in the 30 days before (`LEAD_DUPLICATE_DAYS`); it is not sold',
  rejected: 'It is not sold: no consent, on the suppression list, or its source was stopped',
  expired: 'No order took it while it was held',
  returned: 'Its client returned it, and nobody else has it',
  redacted: 'The person’s details were erased',
}

/** The statuses of a delivery. */
export function listDeliveryStates(): string {
  return writeTable(
    ['State', 'What it means'],
    DELIVERY_STATES.map((state) => [asCode(state), DELIVERY[state]]),
  )
}

/** The statuses of a lead, which the system sets, and the dispositions, which its client sets. */
export function listLeadStates(): string {
  const statuses = writeTable(
    ['Status', 'What it means'],
    LEAD_STATUSES.map((state) => [asCode(state), LEAD[state]]),
  )
  return `${statuses}\n\nA client sets the disposition: ${DISPOSITIONS.map(asCode).join(', ')}.`
}
