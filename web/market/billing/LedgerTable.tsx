import { Link } from 'react-router-dom'
import type { LedgerEntry } from '#core/contract/market/ledger.ts'
import { formatMoney, formatMovement } from '#web/format/money.ts'
import { leadPath } from '#web/paths.ts'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { Cell, HeaderCell, Row, Table, TableHead } from '#web/ui/show/Table.tsx'
import { ENTRY_WORDS } from './entry-words.ts'

export function LedgerTable({ entries }: { entries: readonly LedgerEntry[] }) {
  return (
    <Table label="Ledger" className="@container max-h-160">
      <TableHead>
        <HeaderCell className="@max-lg:hidden">Date</HeaderCell>
        <HeaderCell className="@max-lg:pl-4">What</HeaderCell>
        <HeaderCell numeric>Amount</HeaderCell>
        <HeaderCell numeric>Balance</HeaderCell>
      </TableHead>
      <tbody>
        {entries.map((entry) => (
          <Row key={entry.id}>
            <Cell className="@max-lg:hidden">
              <RelativeTime at={entry.created_at} exact className="text-xs text-muted" />
            </Cell>
            <Cell className="@max-lg:pl-4 @lg:min-w-40">
              <What entry={entry} />
              {/* Where there is no room for a column of its own. */}
              <RelativeTime at={entry.created_at} className="block text-xs text-muted @lg:hidden" />
            </Cell>
            <Cell numeric className={entry.amount.startsWith('-') ? '' : 'text-success'}>
              {formatMovement(entry.amount)}
            </Cell>
            <Cell numeric>{formatMoney(entry.balance_after)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  )
}

function What({ entry: { entry_type: type, lead_id: lead, note } }: { entry: LedgerEntry }) {
  const words = ENTRY_WORDS[type]
  return (
    <>
      {lead === null ? (
        words
      ) : (
        <Link to={leadPath(lead)} className="rounded-sm text-accent-strong hover:underline">
          {words}
        </Link>
      )}
      {note !== null && <span className="block max-w-80 text-xs break-words text-muted">{note}</span>}
    </>
  )
}
