import clsx from 'clsx'
import { memo, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import type { LeadSummary } from '#core/contract/leads/lead.ts'
import { DeliveryBadge } from '../components/DeliveryBadge.tsx'
import { DoNotContact } from '../components/DoNotContact.tsx'
import { LeadName } from '../components/LeadName.tsx'
import { DispositionSelect } from './DispositionSelect.tsx'
import { leadJourney } from './lead-journey.ts'
import type { LeadColumn } from './list/use-lead-columns.ts'
import { LeadStatusBadge } from './LeadStatusBadge.tsx'
import { PhoneLink } from './PhoneLink.tsx'
import { SortHeader } from './list/SortHeader.tsx'
import { formatMoney } from '../format/money.ts'
import { words } from '../format/words.ts'
import { leadPath } from '../paths.ts'
import { JourneyLine } from '../ui/show/JourneyLine.tsx'
import { RelativeTime } from '../ui/show/RelativeTime.tsx'
import { Cell, HeaderCell, Row, Table, TableBody, TableHead } from '../ui/show/table/Table.tsx'
import { useRowWindow } from '../ui/show/table/use-row-window.ts'

export interface LeadTableProps {
  leads: readonly LeadSummary[]
  columns: readonly LeadColumn[]
  sort: string
  onSort: (sort: string) => void
  /** called when the user scrolls near the last lead */
  onNearEnd: () => void
}

type Sorting = Pick<LeadTableProps, 'sort' | 'onSort'>

/** Height of a row with its border, in pixels, for text of normal size and rows that are not cards. */
const ROW_HEIGHT = 41

export function LeadTable({ leads, columns, sort, onSort, onNearEnd }: LeadTableProps) {
  const sorting = { sort, onSort }
  // The lead's page uses the list's filters to find the previous and next lead.
  const { search } = useLocation()
  const { isWhole, runs, roomAfter, ...table } = useRowWindow(leads.length, ROW_HEIGHT, onNearEnd)
  const cells = columns.length + 1
  return (
    <Table
      label="Leads"
      // Narrower padding than elsewhere, so that all columns fit at 1280 px.
      className="max-h-[calc(100dvh-17.5rem)] min-h-72 [&_:is(td,th):not(:first-child,:last-child)]:px-2.5"
      frame={table.frame}
      onScroll={table.onScroll}
      {...(isWhole ? {} : { rowCount: leads.length + 1 })}
    >
      <TableHead hasControls>
        <SortHeader by="name" {...sorting}>
          Name
        </SortHeader>
        {columns.map((column) => HEADS[column](sorting))}
      </TableHead>
      <TableBody>
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
                row={isWhole ? undefined : first + index}
              />
            )),
        ])}
        {roomAfter > 0 && <Room height={roomAfter} cells={cells} />}
      </TableBody>
    </Table>
  )
}

/** Empty space in place of rows that are not rendered. */
function Room({ height, cells }: { height: number; cells: number }) {
  return (
    <tr aria-hidden className="cards:block">
      <td colSpan={cells} className="cards:block" style={{ height, padding: 0 }} />
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

const DISPOSITION_CLASS = 'h-7! w-32! px-2! text-xs!'

/** Puts a cell into the last line of a card, which shows the lead's progress. */
const LAST_LINE = 'cards:order-9! cards:self-center'

const CELLS: Readonly<Record<LeadColumn, (lead: LeadSummary) => ReactNode>> = {
  phone: (lead) => (
    <Cell key="phone" part="brief">
      {lead.consent_revoked ? (
        <DoNotContact lead={lead} />
      ) : (
        lead.phone !== null && <PhoneLink phone={lead.phone} mayCall />
      )}
    </Cell>
  ),
  state: ({ state }) => (
    <Cell key="state" part="brief">
      {state}
    </Cell>
  ),
  type: ({ lead_type }) => (
    <Cell key="type" part="brief" className="whitespace-nowrap">
      {words(lead_type)}
    </Cell>
  ),
  received: ({ created_at }) => (
    <Cell key="received" part="when">
      <RelativeTime at={created_at} />
    </Cell>
  ),
  price: ({ price }) => (
    <Cell key="price" part="brief" numeric>
      {price !== null && formatMoney(price)}
    </Cell>
  ),
  status: ({ status }) => (
    <Cell key="status" part="brief" className={LAST_LINE}>
      <LeadStatusBadge status={status} />
    </Cell>
  ),
  disposition: ({ id, name, disposition }) => (
    <Cell key="disposition" part="brief" className={LAST_LINE}>
      {disposition !== null && (
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
    <Cell key="journey" part="brief" className={clsx(LAST_LINE, 'cards:ml-auto')}>
      <JourneyLine compact stations={leadJourney(lead)} />
    </Cell>
  ),
  delivery: ({ delivery_counts }) => (
    <Cell key="delivery" part="how">
      <DeliveryBadge counts={delivery_counts} />
    </Cell>
  ),
}

interface LeadRowProps {
  lead: LeadSummary
  columns: readonly LeadColumn[]
  search: string
  /** its index, if not all rows are rendered */
  row: number | undefined
}

// Memoised, so that a scroll renders only the new rows.
const LeadRow = memo(function LeadRow({ lead, columns, search, row }: LeadRowProps) {
  return (
    <Row
      className='cards:after:order-8 cards:after:basis-full cards:after:content-[""]'
      {...(row === undefined ? {} : { 'data-row': row, 'aria-rowindex': row + 2 })}
    >
      <Cell part="who" className="w-full max-w-0 min-w-36 cards:w-auto cards:max-w-full">
        <span className="flex items-center gap-2">
          <span aria-hidden className={clsx('size-1.5 shrink-0 rounded-full', lead.unread && 'bg-accent')} />
          <LeadName
            lead={lead}
            to={{ pathname: leadPath(lead.id), search }}
            marksRevoked={!columns.includes('phone')}
          />
        </span>
      </Cell>
      {columns.map((column) => CELLS[column](lead))}
    </Row>
  )
})
