import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { meQuery } from '../../api/me.ts'
import { adminItemPath } from '../../paths.ts'
import { buttonClass } from '../../ui/action/button-class.ts'
import { LateLeads } from './LateLeads.tsx'
import { LeadAnswers } from './LeadAnswers.tsx'
import { LeadContact } from './LeadContact.tsx'
import { LeadHeader } from './LeadHeader.tsx'
import { LeadJourney } from './LeadJourney.tsx'
import { LeadNotes } from './LeadNotes.tsx'
import { LeadOutcomes } from './LeadOutcomes.tsx'
import { LeadRecord } from './LeadRecord.tsx'
import { LeadTimeline } from './LeadTimeline.tsx'
import { RevocationNotice } from '../revocations/RevocationNotice.tsx'
import { ReturnStanding } from '../returns/ReturnStanding.tsx'

export function LeadDetails({ lead }: { lead: LeadDetail }) {
  const me = useQuery(meQuery)
  return (
    <>
      {lead.revocation !== null && (
        <RevocationNotice
          revocation={lead.revocation}
          mayAcknowledge={lead.assigned_to === me.data?.user_id || me.data?.role === 'client'}
        />
      )}
      <LeadHeader lead={lead} />
      <ReturnStanding lead={lead} />
      <LeadJourney lead={lead} />
      <div className="grid gap-4 lg:grid-cols-2">
        <LeadContact lead={lead} />
        <LeadAnswers lead={lead} />
        <LeadNotes key={lead.id} lead={lead} />
        <LeadOutcomes outcomes={lead.outcomes} />
        <LateLeads late={lead.late} />
        <LeadTimeline events={lead.timeline} />
      </div>
      <LeadRecord key={`record ${lead.id}`} lead={lead} />
      <WholeStory leadId={lead.id} />
    </>
  )
}

/** Leads administrators to the page that says why it went where it went. */
function WholeStory({ leadId }: { leadId: string }) {
  const me = useQuery(meQuery)
  if (me.data?.role !== 'admin') return null
  return (
    <Link to={adminItemPath('leads', leadId)} className={`${buttonClass('secondary', 'sm')} self-start`}>
      Whole story
    </Link>
  )
}
