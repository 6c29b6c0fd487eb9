import clsx from 'clsx'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import type { LeadSummary } from '#core/contract/leads/lead.ts'
import { DeliveryBadge } from '../components/DeliveryBadge.tsx'
import { DispositionSelect } from './DispositionSelect.tsx'
import { leadJourney } from './lead-journey.ts'
import type { LeadColumn } from './list/use-lead-columns.ts'
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
  columns: readonly LeadColumn[]
  sort: string
  onSort: (sort: string) => void
}

type Sorting = Pick<LeadTableProps, 'sort' | 'onSort'>

export function LeadTable({ leads, columns, sort, onSort }: LeadTableProps) {
  const sorting = { sort, onSort }
  return (
    <Table label="Leads" className="max-h-[calc(100dvh-17.5rem)] min-h-72">
      <TableHead>
        <SortHeader by="name" {...sorting}>
          Name
        </SortHeader>
        {columns.map((column) => HEADS[column](sorting))}
      </TableHead>
      <tbody>
        {leads.map((lead) => (
          <LeadRow key={lead.id} lead={lead} columns={columns} />
        ))}
      </tbody>
    </Table>
  )
}

const HEADS: Readonly<Record<LeadColumn, (sorting: Sorting) => ReactNode>> = {
  phone: () => <HeaderCell key="phone">Phone</HeaderCell>,
  state: (sorting) => (
    <SortHeader key="state" by="state" {...sorting}>
      State
    </SortHeader>
  ),
  type: () => <HeaderCell key="type">Type</HeaderCell>,
  received: (sorting) => (
    <SortHeader key="received" by="received" {...sorting}>
      Received
    </SortHeader>
  ),
  price: (sorting) => (
    <SortHeader key="price" by="price" numeric {...sorting}>
      Price
    </SortHeader>
  ),
  status: () => <HeaderCell key="status">Status</HeaderCell>,
  disposition: () => <HeaderCell key="disposition">Disposition</HeaderCell>,
  journey: () => <HeaderCell key="journey">Journey</HeaderCell>,
  delivery: () => <HeaderCell key="delivery">Delivery</HeaderCell>,
}

const NONE = <span className="text-faint">None</span>

const CELLS: Readonly<Record<LeadColumn, (lead: LeadSummary) => ReactNode>> = {
  phone: ({ phone }) => <Cell key="phone">{phone === null ? NONE : <PhoneLink phone={phone} />}</Cell>,
  state: ({ state }) => <Cell key="state">{state ?? NONE}</Cell>,
  type: ({ lead_type }) => (
    <Cell key="type" className="whitespace-nowrap">
      {words(lead_type)}
    </Cell>
  ),
  received: ({ created_at }) => (
    <Cell key="received">
      <RelativeTime at={created_at} />
    </Cell>
  ),
  price: ({ price }) => (
    <Cell key="price" numeric>
      {price === null ? NONE : formatMoney(price)}
    </Cell>
  ),
  status: ({ status }) => (
    <Cell key="status">
      <LeadStatusBadge status={status} />
    </Cell>
  ),
  disposition: ({ id, name, disposition }) => (
    <Cell key="disposition">
      {disposition === null ? (
        NONE
      ) : (
        <DispositionSelect
          leadId={id}
          disposition={disposition}
          label={`Disposition of ${name ?? 'Unknown'}`}
          className="h-7! w-36!"
        />
      )}
    </Cell>
  ),
  journey: (lead) => (
    <Cell key="journey">
      <JourneyLine compact stations={leadJourney(lead)} />
    </Cell>
  ),
  delivery: ({ delivery_counts }) => (
    <Cell key="delivery">
      <DeliveryBadge counts={delivery_counts} />
    </Cell>
  ),
}

function LeadRow({ lead, columns }: { lead: LeadSummary; columns: readonly LeadColumn[] }) {
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
      {columns.map((column) => CELLS[column](lead))}
    </Row>
  )
}
