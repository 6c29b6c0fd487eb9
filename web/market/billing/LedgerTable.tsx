import { Link } from 'react-router-dom'
import type { LedgerEntry } from '#core/contract/market/money/ledger.ts'
import { formatMoney, formatMovement } from '#web/format/money.ts'
import { leadPath } from '#web/paths.ts'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import type { TableColumn } from '#web/ui/show/table/table-column.ts'
import { ENTRY_WORDS } from './entry-words.ts'

export function LedgerTable({ entries }: { entries: readonly LedgerEntry[] }) {
  return (
    <DataTable
      label="Ledger"
      className="sm:max-h-160"
      columns={COLUMNS}
      items={entries}
      keyOf={({ id }) => id}
    />
  )
}

const COLUMNS: readonly TableColumn<LedgerEntry>[] = [
  {
    header: 'Date',
    part: 'when',
    render: ({ created_at: at }) => <RelativeTime at={at} exact className="text-xs text-muted" />,
  },
  { header: 'What', part: 'who', className: 'min-w-40', render: (entry) => <What entry={entry} /> },
  {
    header: 'Amount',
    part: 'how',
    numeric: true,
    render: ({ amount }) => (
      <span className={amount.startsWith('-') ? '' : 'text-success'}>{formatMovement(amount)}</span>
    ),
  },
  {
    header: 'Balance',
    part: 'figure',
    numeric: true,
    className: 'cards:ml-auto',
    render: ({ balance_after: balance }) => formatMoney(balance),
  },
]

function What({ entry: { entry_type: type, lead_id: lead, note } }: { entry: LedgerEntry }) {
  const words = ENTRY_WORDS[type]
  return (
    <>
      {lead === null ? (
        words
      ) : (
        <Link
          to={leadPath(lead)}
          className="-my-1 inline-flex min-h-6 min-w-6 items-center rounded-sm text-accent-strong hover:underline"
        >
          {words}
        </Link>
      )}
      {note !== null && <span className="block max-w-80 text-xs break-words text-muted">{note}</span>}
    </>
  )
}
