import { Link } from 'react-router-dom'
import type { LedgerEntry } from '#core/contract/market/money/ledger.ts'
import { adminItemPath } from '#web/paths.ts'
import { ENTRY_WORDS } from '../../billing/entry-words.ts'

/** Shows the kind of a ledger entry, with the way to its lead. */
export function EntryLine({ entry: { entry_type: type, lead_id: lead, note } }: { entry: LedgerEntry }) {
  return (
    <span className="block max-w-72">
      {lead === null ? (
        ENTRY_WORDS[type]
      ) : (
        <Link
          to={adminItemPath('leads', lead)}
          className="-my-1 inline-flex min-h-6 min-w-6 items-center rounded-sm text-accent-strong hover:underline"
        >
          {ENTRY_WORDS[type]}
        </Link>
      )}
      {note !== null && <span className="block text-xs font-normal break-words text-muted">{note}</span>}
    </span>
  )
}
