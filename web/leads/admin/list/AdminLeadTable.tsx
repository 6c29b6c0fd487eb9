import { Link } from 'react-router-dom'
import type { AdminLead } from '#core/contract/leads/admin-lead.ts'
import { DeliveryBadge } from '#web/components/DeliveryBadge.tsx'
import { DoNotContact } from '#web/components/DoNotContact.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { formatMoney } from '#web/format/money.ts'
import { words } from '#web/format/words.ts'
import { adminItemPath } from '#web/paths.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { wordRefusal } from '../../decision/word-refusal.ts'

const NO_WINDOWS = { duplicate_days: 0, resale_days: 0 }

export function AdminLeadTable({ leads }: { leads: readonly AdminLead[] }) {
  return (
    <Listing
      label="Leads"
      items={leads}
      keyOf={({ id }) => id}
      columns={[
        { header: 'Lead', render: (lead) => <Who lead={lead} /> },
        { header: 'Received', part: 'when', render: ({ created_at: at }) => <RelativeTime at={at} /> },
        {
          header: 'Type',
          part: 'brief',
          render: ({ lead_type: type, state }) => (
            <span className="block max-w-36 truncate" title={words(type)}>
              {words(type)}
              {state !== null && <span className="text-muted">{` · ${state}`}</span>}
            </span>
          ),
        },
        {
          header: 'Source',
          render: ({ source }) => (
            <span className="block max-w-36 truncate" title={source?.name}>
              {source?.name}
            </span>
          ),
        },
        { header: 'Outcome', part: 'how', render: (lead) => <Outcome lead={lead} /> },
        {
          header: 'Price',
          numeric: true,
          render: ({ price }) => price !== null && Number(price) > 0 && formatMoney(price),
        },
        {
          header: 'Delivery',
          render: ({ delivery_counts: counts }) =>
            Object.values(counts).some((count) => count > 0) && <DeliveryBadge counts={counts} />,
        },
      ]}
    />
  )
}

function Who({ lead }: { lead: AdminLead }) {
  return (
    <span className="flex max-w-44 flex-wrap items-center gap-x-2">
      <span className="flex max-w-full items-center gap-2">
        <Link
          to={adminItemPath('leads', lead.id)}
          title={lead.email ?? lead.phone ?? undefined}
          className="min-w-6 truncate rounded-sm py-0.5 hover:underline"
        >
          {lead.name ?? (lead.status === 'redacted' ? 'Erased' : 'Unknown')}
        </Link>
        {lead.is_test && <Badge>Test</Badge>}
      </span>
      <DoNotContact lead={lead} />
    </span>
  )
}

/** Says who has the lead, or why nobody has. */
function Outcome({ lead }: { lead: AdminLead }) {
  const text = sayOutcome(lead)
  return (
    <span className="block max-w-44 truncate 2xl:max-w-56" title={text}>
      {text}
    </span>
  )
}

function sayOutcome({ holder, outcome, reason, status }: AdminLead) {
  if (holder !== null) return status === 'assigned' ? holder.name : `${words(status)} by ${holder.name}`
  if (reason === null || outcome === 'assigned') return words(status)
  const why = wordRefusal(reason, NO_WINDOWS)
  if (status === 'unassigned') return why
  return `${words(status)}: ${why.charAt(0).toLowerCase()}${why.slice(1)}`
}
