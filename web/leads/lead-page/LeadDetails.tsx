import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { leadJourney } from '../lead-journey.ts'
import { LeadStatusBadge } from '../LeadStatusBadge.tsx'
import { words } from '../../format/words.ts'
import { Badge } from '../../ui/show/Badge.tsx'
import { Card } from '../../ui/show/Card.tsx'
import { JourneyLine } from '../../ui/show/JourneyLine.tsx'
import { PageHeader } from '../../ui/show/PageHeader.tsx'
import { RelativeTime } from '../../ui/show/RelativeTime.tsx'
import { LeadConsent } from '../consent/LeadConsent.tsx'
import { LeadDecision } from '../decision/LeadDecision.tsx'
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
      <LeadDecision leadId={lead.id} />
      <LeadDeliveries deliveries={lead.deliveries} />
    </>
  )
}
