import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import type { LeadStory } from '#core/contract/leads/admin-lead.ts'
import { wordRefusalBriefly } from '#core/domain/market/refusal-words.ts'
import { useMay } from '#web/components/admin/use-may.ts'
import { words } from '#web/format/words.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { adminPath } from '#web/paths.ts'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { LeadConsent } from '../../consent/LeadConsent.tsx'
import { LeadDecision } from '../../decision/LeadDecision.tsx'
import { LateLeads } from '../../lead-page/LateLeads.tsx'
import { LeadAnswers } from '../../lead-page/LeadAnswers.tsx'
import { LeadContact } from '../../lead-page/LeadContact.tsx'
import { LeadDeliveries } from '../../lead-page/LeadDeliveries.tsx'
import { LeadJourney } from '../../lead-page/LeadJourney.tsx'
import { LeadOutcomes } from '../../lead-page/LeadOutcomes.tsx'
import { LeadStatusBadge } from '../../LeadStatusBadge.tsx'
import { LeadTimeline } from '../../lead-page/LeadTimeline.tsx'
import { LeadActs } from '../acts/LeadActs.tsx'
import { RevokedLead } from '../revocations/RevokedLead.tsx'
import { LeadHolders } from './LeadHolders.tsx'
import { LeadMoney } from './LeadMoney.tsx'
import { LeadReceipt } from './LeadReceipt.tsx'

const LABELS = { 'lead.assigned': 'Assigned' }
const LATE_LABELS = { own_requests: 'The client’s own requests kept it back' }

export interface LeadStoryCardsProps {
  lead: LeadDetail
  story: LeadStory
  onOpenAttempt: (id: string) => void
}

export function LeadStoryCards({ lead, story, onOpenAttempt }: LeadStoryCardsProps) {
  const mayDecide = useMay('money')
  return (
    <>
      <RevokedLead lead={lead} story={story} />
      <PageHeader
        title={lead.name ?? (lead.status === 'redacted' ? 'Erased person' : 'Unknown')}
        description={
          <span className="flex flex-wrap items-center gap-2 text-sm">
            <LeadStatusBadge status={lead.status} />
            {lead.is_test && <Badge>Test</Badge>}
            <span>{words(lead.lead_type)}</span>
            {lead.state !== null && <span>{lead.state}</span>}
            <span aria-hidden>·</span>
            <span>
              Received <RelativeTime at={lead.created_at} />
            </span>
          </span>
        }
        actions={<LeadActs lead={lead} story={story} />}
      />
      <LeadJourney lead={lead} onOpenAttempt={onOpenAttempt} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <LeadDecision leadId={lead.id} />
        <LeadMoney story={story} />
        <LateLeads
          late={lead.late}
          labels={LATE_LABELS}
          {...(mayDecide && { decidePath: adminPath('prices') })}
        />
        <LeadOutcomes outcomes={lead.outcomes} title="Outcomes from clients’ CRMs" />
        <LeadReceipt lead={lead} story={story} />
        <Card title="Consent">
          <LeadConsent lead={lead} />
        </Card>
        <LeadContact lead={lead} showsTime />
        <LeadAnswers lead={lead} />
      </div>
      <LeadHolders story={story} />
      <Card title="Delivery attempts" flush>
        <LeadDeliveries
          deliveries={lead.deliveries}
          onOpen={onOpenAttempt}
          hint="An attempt shows here when this lead is sent to a webhook."
        />
      </Card>
      <LeadTimeline events={lead.timeline} labels={LABELS} wordReason={wordRefusalBriefly} />
    </>
  )
}
