import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { LeadConsent } from '../consent/LeadConsent.tsx'
import { LeadDeliveries } from './LeadDeliveries.tsx'
import { LeadIds } from './LeadIds.tsx'

export interface RecordPartProps {
  part: 'attempts' | 'consent' | 'ids'
  lead: LeadDetail
}

/** The content of one group of the lead's record. All three load together, after the page. */
export function RecordPart({ part, lead }: RecordPartProps) {
  if (part === 'attempts') return <LeadDeliveries deliveries={lead.deliveries} />
  return part === 'consent' ? <LeadConsent lead={lead} /> : <LeadIds lead={lead} />
}
