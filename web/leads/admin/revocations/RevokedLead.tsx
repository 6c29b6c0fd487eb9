import { Link } from 'react-router-dom'
import type { LeadStory } from '#core/contract/leads/admin-lead.ts'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import type { OwnRevocation } from '#core/contract/leads/revocation.ts'
import { adminItemPath } from '#web/paths.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { ExactTime } from '#web/ui/show/ExactTime.tsx'
import { sayCountdown, sayDay, sayReceipt } from '../../revocations/say-countdown.ts'

/** Stands before everything else of a lead whose person revoked consent, and says whether its client knows. */
export function RevokedLead({ lead, story }: { lead: LeadDetail; story: LeadStory }) {
  const { revocation, consent_revoked: isRevoked } = lead
  const at = revocation?.revoked_at ?? story.receipt.consent_revoked_at
  const isHeld = story.holders.some(({ state }) => state === 'active')
  if (!isRevoked) return null
  return (
    <Banner tone="failure" title="Do not contact">
      <p>
        The person revoked consent
        {at !== null && (
          <>
            {' '}
            on <ExactTime at={at} />
          </>
        )}
        .
      </p>
      <p className="mt-1 text-muted">
        {revocation !== null && <Standing revocation={revocation} />}
        {revocation === null && !isHeld && 'No client has the lead now.'}
      </p>
    </Banner>
  )
}

function Standing({ revocation }: { revocation: OwnRevocation }) {
  const { acknowledged_at: at, due_on: due, business_days_left: days, revocation_id: id } = revocation
  return (
    <>
      {at !== null ? (
        <>
          Its client acknowledged <ExactTime at={at} />, {sayReceipt(revocation).toLowerCase()}.
        </>
      ) : (
        <>
          Its client has not acknowledged
          {due !== null && `, and has until ${sayDay(due)}: ${sayCountdown(days)?.toLowerCase() ?? ''}`}.
        </>
      )}{' '}
      <Link to={adminItemPath('compliance', id)} className="underline">
        Holders and receipts
      </Link>
    </>
  )
}
