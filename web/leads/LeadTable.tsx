import clsx from 'clsx'
import { Link, useLocation } from 'react-router-dom'
import type { LeadSummary } from '#core/contract/leads/lead.ts'
import { DeliveryBadge } from '../components/DeliveryBadge.tsx'
import { DispositionSelect } from './DispositionSelect.tsx'
import { leadJourney } from './lead-journey.ts'
import { LeadStatusBadge } from './LeadStatusBadge.tsx'
import { PhoneLink } from './PhoneLink.tsx'
import { SortHeader } from './list/SortHeader.tsx'
import { formatMoney } from '../format/money.ts'
import { words } from '../format/words.ts'
import { leadPath } from '../paths.ts'
import { Badge } from '../ui/show/Badge.tsx'
import { JourneyLine } from '../ui/show/JourneyLine.tsx'
import { RelativeTime } from '../ui/show/RelativeTime.tsx'
import { Cell, HeaderCell, Row, Table, TableHead } from '../ui/show/Table.tsx'

export interface LeadTableProps {
  leads: readonly LeadSummary[]
  sort: string
  onSort: (sort: string) => void
}

export function LeadTable({ leads, sort, onSort }: LeadTableProps) {
  const sorting = { sort, onSort }
  return (
    <Table label="Leads" className="max-h-[calc(100dvh-17.5rem)] min-h-72">
      <TableHead>
        <SortHeader by="name" {...sorting}>
          Name
        </SortHeader>
        <HeaderCell>Phone</HeaderCell>
        <SortHeader by="state" {...sorting}>
          State
        </SortHeader>
        <HeaderCell>Type</HeaderCell>
        <SortHeader by="received" {...sorting}>
          Received
        </SortHeader>
        <SortHeader by="price" numeric {...sorting}>
          Price
        </SortHeader>
        <HeaderCell>Status</HeaderCell>
        <HeaderCell>Disposition</HeaderCell>
        <HeaderCell>Journey</HeaderCell>
        <HeaderCell>Delivery</HeaderCell>
      </TableHead>
      <tbody>
        {leads.map((lead) => (
          <LeadRow key={lead.id} lead={lead} />
        ))}
      </tbody>
    </Table>
  )
}

function LeadRow({ lead }: { lead: LeadSummary }) {
  // Its page goes on through this list.
  const { search } = useLocation()
  return (
    <Row>
      <Cell>
        <span className="flex max-w-44 sm:max-w-72 items-center gap-2">
          <span aria-hidden className={clsx('size-1.5 shrink-0 rounded-full', lead.unread && 'bg-accent')} />
          <Link
            to={{ pathname: leadPath(lead.id), search }}
            className={clsx('truncate rounded-sm hover:underline', lead.unread && 'font-semibold')}
          >
            {lead.name ?? 'Unknown'}
            {lead.unread && <span className="sr-only"> (unread)</span>}
          </Link>
          {lead.is_test && <Badge>Test</Badge>}
        </span>
      </Cell>
      <Cell>
        {lead.phone === null ? <span className="text-faint">None</span> : <PhoneLink phone={lead.phone} />}
      </Cell>
      <Cell>{lead.state ?? <span className="text-faint">None</span>}</Cell>
      <Cell className="whitespace-nowrap">{words(lead.lead_type)}</Cell>
      <Cell>
        <RelativeTime at={lead.created_at} />
      </Cell>
      <Cell numeric>
        {lead.price === null ? <span className="text-faint">None</span> : formatMoney(lead.price)}
      </Cell>
      <Cell>
        <LeadStatusBadge status={lead.status} />
      </Cell>
      <Cell>
        {lead.disposition === null ? (
          <span className="text-faint">None</span>
        ) : (
          <DispositionSelect
            leadId={lead.id}
            disposition={lead.disposition}
            label={`Disposition of ${lead.name ?? 'Unknown'}`}
            className="h-7! w-36!"
          />
        )}
      </Cell>
      <Cell>
        <JourneyLine compact stations={leadJourney(lead)} />
      </Cell>
      <Cell>
        <DeliveryBadge counts={lead.delivery_counts} />
      </Cell>
    </Row>
  )
}
