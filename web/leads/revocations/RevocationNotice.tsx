import { useRef } from 'react'
import { Link } from 'react-router-dom'
import type { OwnRevocation } from '#core/contract/leads/revocation.ts'
import { doNotContactPath } from '../../paths.ts'
import { Banner } from '../../ui/show/Banner.tsx'
import { ExactTime } from '../../ui/show/ExactTime.tsx'
import { AcknowledgeButton } from './AcknowledgeButton.tsx'
import { sayCountdown, sayDay, sayReceipt } from './say-countdown.ts'

export interface RevocationNoticeProps {
  revocation: OwnRevocation
  /** whether the reader may acknowledge for the account */
  mayAcknowledge: boolean
}

/** Stands before everything else of a lead whose person revoked consent. */
export function RevocationNotice({ revocation, mayAcknowledge }: RevocationNoticeProps) {
  const { acknowledged_at: at, due_on: due, revoked_at: revoked, business_days_left: days } = revocation
  const proof = useRef<HTMLAnchorElement>(null)
  return (
    <Banner
      tone="failure"
      title="Do not contact"
      {...(at === null &&
        mayAcknowledge && {
          action: (
            <AcknowledgeButton leadId={revocation.lead_id} onAcknowledged={() => proof.current?.focus()} />
          ),
        })}
    >
      <p>
        The person revoked consent
        {revoked !== null && (
          <>
            {' '}
            on <ExactTime at={revoked} />
          </>
        )}
        . Do not call, text or write, and remove them from your other systems.
      </p>
      <p className="mt-1 text-muted">
        {at === null ? (
          due !== null && `Acknowledge until ${sayDay(due)}: ${sayCountdown(days)?.toLowerCase() ?? ''}.`
        ) : (
          <>
            Acknowledged <ExactTime at={at} />, {sayReceipt(revocation).toLowerCase()}.
          </>
        )}{' '}
        <Link ref={proof} to={doNotContactPath(revocation.revocation_id)} className="underline">
          Proof
        </Link>
      </p>
    </Banner>
  )
}
