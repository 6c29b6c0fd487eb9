import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { CallHours } from '../CallHours.tsx'
import { DispositionSelect } from '../DispositionSelect.tsx'
import { LeadStatusBadge } from '../LeadStatusBadge.tsx'
import { DoNotContact } from '../../components/DoNotContact.tsx'
import { formatPhone } from '../../format/phone.ts'
import { words } from '../../format/words.ts'
import { buttonClass } from '../../ui/action/button-class.ts'
import { Badge } from '../../ui/show/Badge.tsx'
import { RelativeTime } from '../../ui/show/RelativeTime.tsx'
import { LeadMember } from './LeadMember.tsx'
import { LeadReturn } from '../returns/LeadReturn.tsx'

/** Names the lead and its age, and lets the client call, write, note the outcome and return it. */
export function LeadHeader({ lead }: { lead: LeadDetail }) {
  return (
    <header className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold tracking-tight break-words">{lead.name ?? 'Unknown'}</h1>
          <Summary lead={lead} />
        </div>
        <Reach lead={lead} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        {/* Nobody can work on a lead that is unassigned or returned. */}
        {lead.disposition !== null && lead.returnable !== null && (
          <div className="flex min-w-0 items-center gap-3 tight:flex-wrap max-sm:w-full max-sm:justify-between">
            <span aria-hidden className="text-sm text-muted">
              Disposition
            </span>
            <div className="w-44 min-w-0">
              <DispositionSelect leadId={lead.id} disposition={lead.disposition} label="Disposition" />
            </div>
          </div>
        )}
        <LeadMember lead={lead} />
        <LeadReturn key={lead.id} lead={lead} />
      </div>
    </header>
  )
}

function Summary({ lead }: { lead: LeadDetail }) {
  const { age, city, state } = lead
  const place = [city, state].filter(Boolean).join(', ')
  const facts = [words(lead.lead_type), place, age === null ? '' : `age ${age}`].filter((fact) => fact !== '')
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <span className="text-ink">
        Received <RelativeTime at={lead.created_at} />
      </span>
      <LeadStatusBadge status={lead.status} />
      {lead.is_test && <Badge>Test</Badge>}
      {/* Otherwise a notice stands above. */}
      {lead.revocation === null && <DoNotContact lead={lead} />}
      <span>{facts.join(' · ')}</span>
    </p>
  )
}

/** Calls and writes to the person, beside the time where they live. */
function Reach({ lead }: { lead: LeadDetail }) {
  const { phone, email } = lead
  // Nobody should call the person of a returned lead, or one who revoked consent.
  if (lead.consent_revoked || lead.status === 'returned' || (phone === null && email === null)) return null
  return (
    <div className="flex flex-col gap-2 max-sm:w-full sm:max-w-md">
      <div className="flex flex-wrap gap-2 sm:justify-end">
        {phone !== null && (
          <a href={`tel:${phone}`} className={`${buttonClass('primary', 'lg')} max-sm:flex-1`}>
            <span className="tabular">Call {formatPhone(phone)}</span>
          </a>
        )}
        {email !== null && (
          <a
            href={`mailto:${email}`}
            aria-label={`Email ${email}`}
            title={email}
            className={buttonClass('secondary', 'lg')}
          >
            Email
          </a>
        )}
      </div>
      {phone !== null && (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm sm:justify-end sm:text-right">
          <span className="text-muted">Local time</span>
          <CallHours where={lead} className="contents" />
        </div>
      )}
    </div>
  )
}
