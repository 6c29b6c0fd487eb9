import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { leadJourney } from '../lead-journey.ts'
import { LeadStatusBadge } from '../LeadStatusBadge.tsx'
import { meQuery } from '../../api/me.ts'
import { words } from '../../format/words.ts'
import { adminItemPath } from '../../paths.ts'
import { buttonClass } from '../../ui/action/button-class.ts'
import { Badge } from '../../ui/show/Badge.tsx'
import { Card } from '../../ui/show/Card.tsx'
import { JourneyLine } from '../../ui/show/JourneyLine.tsx'
import { PageHeader } from '../../ui/show/PageHeader.tsx'
import { RelativeTime } from '../../ui/show/RelativeTime.tsx'
import { LeadConsent } from '../consent/LeadConsent.tsx'
import { LeadAnswers } from './LeadAnswers.tsx'
import { LeadContact } from './LeadContact.tsx'
import { LeadDeliveries } from './LeadDeliveries.tsx'
import { LeadReturn } from '../returns/LeadReturn.tsx'
import { LeadTimeline } from './LeadTimeline.tsx'
import { LeadWork } from './LeadWork.tsx'

export function LeadDetails({ lead }: { lead: LeadDetail }) {
  return (
    <>
      <PageHeader
        title={lead.name ?? 'Unknown'}
        description={
          <span className="flex flex-wrap items-center gap-2 text-sm">
            <LeadStatusBadge status={lead.status} />
            {lead.is_test && <Badge>Test</Badge>}
            <span>{words(lead.lead_type)}</span>
            <span aria-hidden>·</span>
            <span>
              Received <RelativeTime at={lead.created_at} />
            </span>
          </span>
        }
      />
      <Card title="Journey">
        <JourneyLine stations={leadJourney(lead)} />
      </Card>
      <div className="grid gap-4 lg:grid-cols-2">
        <LeadContact lead={lead} />
        <LeadWork key={lead.id} lead={lead} />
        <LeadAnswers lead={lead} />
        <LeadReturn key={`return ${lead.id}`} lead={lead} />
        <LeadConsent lead={lead} />
        <LeadTimeline events={lead.timeline} />
      </div>
      <WholeStory leadId={lead.id} />
      <LeadDeliveries deliveries={lead.deliveries} />
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
