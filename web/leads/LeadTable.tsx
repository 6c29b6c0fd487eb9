import clsx from 'clsx'
import { memo, type ReactNode } from 'react'
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
import { StillSelect } from '../ui/form/Select.tsx'
import { JourneyLine } from '../ui/show/JourneyLine.tsx'
import { RelativeTime } from '../ui/show/RelativeTime.tsx'
import { Cell, HeaderCell, Row, Table, TableHead } from '../ui/show/Table.tsx'
import { useRowWindow } from '../ui/show/use-row-window.ts'

export interface LeadTableProps {
  leads: readonly LeadSummary[]
  columns: readonly LeadColumn[]
  sort: string
  onSort: (sort: string) => void
  /** when somebody comes near the last of them */
  onNearEnd: () => void
}

type Sorting = Pick<LeadTableProps, 'sort' | 'onSort'>

/** Of a cell and its line, in pixels: rows of a long list are all as high. */
const ROW_HEIGHT = 41

export function LeadTable({ leads, columns, sort, onSort, onNearEnd }: LeadTableProps) {
  const sorting = { sort, onSort }
  // Its page goes on through this list.
  const { search } = useLocation()
  const { isWhole, isSettled, runs, roomAfter, ...table } = useRowWindow(leads.length, ROW_HEIGHT, onNearEnd)
  const cells = columns.length + 1
  return (
    <Table
      label="Leads"
      className="max-h-[calc(100dvh-17.5rem)] min-h-72"
      frame={table.frame}
      onScroll={table.onScroll}
      {...(isWhole ? {} : { rowCount: leads.length + 1 })}
    >
      <TableHead>
        <SortHeader by="name" {...sorting}>
          Name
        </SortHeader>
        {columns.map((column) => HEADS[column](sorting))}
      </TableHead>
      <tbody>
        {runs.flatMap(({ first, end, room }) => [
          room > 0 && <Room key={`room-${first}`} height={room} cells={cells} />,
          ...leads
            .slice(first, end)
            .map((lead, index) => (
              <LeadRow
                key={lead.id}
                lead={lead}
                columns={columns}
                search={search}
                still={!isSettled(first + index)}
                row={isWhole ? undefined : first + index}
              />
            )),
        ])}
        {roomAfter > 0 && <Room height={roomAfter} cells={cells} />}
      </tbody>
    </Table>
  )
}

/** Where rows would be that are not drawn. */
function Room({ height, cells }: { height: number; cells: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={cells} style={{ height, padding: 0 }} />
    </tr>
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

const DISPOSITION_CLASS = 'h-7! w-32! px-2! text-xs!'

const CELLS: Readonly<Record<LeadColumn, (lead: LeadSummary, still: boolean) => ReactNode>> = {
  phone: ({ phone }) => <Cell key="phone">{phone === null ? NONE : <PhoneLink phone={phone} />}</Cell>,
  state: ({ state }) => <Cell key="state">{state ?? NONE}</Cell>,
  type: ({ lead_type }) => (
    <Cell key="type" className="whitespace-nowrap">
      {words(lead_type)}
    </Cell>
  ),
  received: ({ created_at }, still) => (
    <Cell key="received">
      <RelativeTime at={created_at} still={still} />
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
  disposition: ({ id, name, disposition }, still) => (
    <Cell key="disposition">
      {disposition === null ? (
        NONE
      ) : still ? (
        <StillSelect label={words(disposition)} className={DISPOSITION_CLASS} />
      ) : (
        <DispositionSelect
          leadId={id}
          disposition={disposition}
          label={`Disposition of ${name ?? 'Unknown'}`}
          className={DISPOSITION_CLASS}
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

interface LeadRowProps {
  lead: LeadSummary
  columns: readonly LeadColumn[]
  search: string
  /** its place, where not all are drawn */
  row: number | undefined
  /** It came into sight just now: what takes long to make follows. */
  still: boolean
}

// A scroll draws a few rows anew, not those that stay.
const LeadRow = memo(function LeadRow({ lead, columns, search, row, still }: LeadRowProps) {
  return (
    <Row {...(row === undefined ? {} : { 'data-row': row, 'aria-rowindex': row + 2 })}>
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
      {columns.map((column) => CELLS[column](lead, still))}
    </Row>
  )
})
