import { RETURNED_LEAD_NAME, type LeadSummary } from '#core/contract/leads/lead.ts'
import { Badge } from '../ui/show/Badge.tsx'

export type MarkedLead = Pick<LeadSummary, 'name' | 'consent_revoked'>

/** Marks a lead in a list whose person revoked consent. The name of a returned lead says so already. */
export function DoNotContact({ lead }: { lead: MarkedLead }) {
  return isMarked(lead) && <Badge tone="failure">Do not contact</Badge>
}

/** Whether {@link DoNotContact} shows something. */
export function isMarked({ name, consent_revoked: isRevoked }: MarkedLead): boolean {
  return isRevoked && name !== RETURNED_LEAD_NAME
}
