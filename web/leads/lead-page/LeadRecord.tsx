import { Suspense, useEffect } from 'react'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { lazyPart } from '#web/app/lazy-part.ts'
import { fetchPart } from '#web/app/reload-when-stale.ts'
import { countOf } from '../../format/count-of.ts'
import { OptionGroup } from '../../ui/form/OptionGroup.tsx'
import { exactTime } from '../../ui/show/format-time.ts'
import { SkeletonLines } from '../../ui/wait/CardSkeleton.tsx'
import { Waiting } from '../../ui/wait/Waiting.tsx'

const fetchPartOfRecord = () => import('./RecordPart.tsx')
/** It comes after the page, because most visits open none of the groups. */
const RecordPart = lazyPart('RecordPart', async () => (await fetchPartOfRecord()).RecordPart)

/** The seldom-read parts of a lead: attempts, consent and ids, each folded under a line that sums it up. */
export function LeadRecord({ lead }: { lead: LeadDetail }) {
  useEffect(() => {
    // A failure is ignored: opening a group tries again.
    fetchPart(fetchPartOfRecord, false).catch(() => undefined)
  }, [])
  return (
    <div className="divide-y divide-line overflow-clip rounded-lg border border-line bg-surface">
      <OptionGroup title="Delivery attempts" summary={sumUpAttempts(lead.deliveries)} flush>
        <Suspense fallback={<ComingPart />}>
          <RecordPart part="attempts" lead={lead} />
        </Suspense>
      </OptionGroup>
      <OptionGroup title="Consent" summary={sumUpConsent(lead)}>
        <Suspense fallback={<ComingPart />}>
          <RecordPart part="consent" lead={lead} />
        </Suspense>
      </OptionGroup>
      <OptionGroup title="Ids" summary={lead.id}>
        <Suspense fallback={<ComingPart />}>
          <RecordPart part="ids" lead={lead} />
        </Suspense>
      </OptionGroup>
    </div>
  )
}

function ComingPart() {
  return (
    <Waiting className="p-4">
      <SkeletonLines />
    </Waiting>
  )
}

/** How they ended is told by the journey above. */
function sumUpAttempts(deliveries: LeadDetail['deliveries']) {
  const newest = deliveries[0]
  if (newest === undefined) return 'None yet'
  const last = exactTime(newest.created_at)
  return `${countOf(deliveries.length, 'attempt')} · ${deliveries.length === 1 ? last : `the newest ${last}`}`
}

function sumUpConsent(lead: LeadDetail) {
  const { consent_given: given, consent_at: at, trustedform_cert_url: form, jornaya_leadid: jornaya } = lead
  const parts = [
    given === null ? null : given ? 'Given' : 'Not given',
    at && exactTime(at),
    form && 'TrustedForm',
    jornaya && 'Jornaya',
  ].filter(Boolean)
  return parts.length > 0 || lead.consent_text !== null || lead.consent_url !== null
    ? parts.join(' · ') || 'Recorded'
    : 'None recorded'
}
