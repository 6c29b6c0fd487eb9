import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { CallHours } from '../CallHours.tsx'
import { Facts } from './Facts.tsx'
import { PhoneLink } from '../PhoneLink.tsx'
import { Card } from '../../ui/show/Card.tsx'

export interface LeadContactProps {
  lead: LeadDetail
  /** true if no header above already shows the time where the person lives */
  showsTime?: boolean
}

export function LeadContact({ lead, showsTime = false }: LeadContactProps) {
  const place = [lead.city, [lead.state, lead.zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  // Nobody should call or write to a person who revoked consent.
  const mayReach = !lead.consent_revoked
  const address = [lead.address1, lead.address2, place].filter(Boolean).join('\n')
  return (
    <Card title="Contact">
      <Facts
        none="No contact details were given."
        facts={[
          { label: 'Name', value: lead.name, copy: lead.name },
          {
            label: 'Phone',
            value: lead.phone && <PhoneLink phone={lead.phone} mayCall={mayReach} />,
            copy: lead.phone,
          },
          {
            label: 'Email',
            value:
              lead.email && !mayReach ? (
                <span className="break-all">{lead.email}</span>
              ) : (
                lead.email && (
                  <a
                    href={`mailto:${lead.email}`}
                    className="rounded-sm break-all text-accent hover:underline"
                  >
                    {lead.email}
                  </a>
                )
              ),
            copy: lead.email,
          },
          {
            label: 'Other phone',
            value: lead.alt_phone && <PhoneLink phone={lead.alt_phone} mayCall={mayReach} />,
            copy: lead.alt_phone,
          },
          { label: 'Address', value: address, copy: address },
          { label: 'County', value: lead.county },
          // A returned or revoked lead shows no local time, because nobody should call it.
          {
            label: 'Local time',
            value: showsTime && mayReach && lead.status !== 'returned' ? <CallHours where={lead} /> : null,
          },
          { label: 'Best time to call', value: lead.best_time_to_call },
          { label: 'Language', value: lead.language },
        ]}
      />
    </Card>
  )
}
