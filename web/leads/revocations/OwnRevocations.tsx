import { Link } from 'react-router-dom'
import type { OwnRevocation } from '#core/contract/leads/revocation.ts'
import { words } from '../../format/words.ts'
import { doNotContactPath, leadPath } from '../../paths.ts'
import { RelativeTime } from '../../ui/show/RelativeTime.tsx'
import { DataTable } from '../../ui/show/table/DataTable.tsx'
import type { TableColumn } from '../../ui/show/table/table-column.ts'
import { AcknowledgeButton } from './AcknowledgeButton.tsx'
import { Receipt } from './Receipt.tsx'

const LINK = '-my-1 inline-flex min-h-6 items-center rounded-sm hover:underline'

const COLUMNS: readonly TableColumn<OwnRevocation>[] = [
  {
    header: 'Lead',
    part: 'who',
    className: 'font-medium',
    render: ({ lead_id: id, lead_name: name, lead_type: type }) => (
      <Link to={leadPath(id)} className={LINK}>
        {name ?? `${words(type ?? 'lead')} ${id.slice(-8)}`}
      </Link>
    ),
  },
  {
    header: 'Revoked',
    part: 'when',
    render: ({ revoked_at: at }) => (at === null ? '' : <RelativeTime at={at} />),
  },
  { header: 'Receipt', part: 'how', render: (row) => <Receipt {...row} /> },
  {
    header: 'Actions',
    part: 'actions',
    className: 'py-1! text-right whitespace-nowrap',
    render: ({ lead_id: id, revocation_id: revocation, acknowledged_at: at }) => (
      <span className="inline-flex items-center gap-x-3 gap-y-1 cards:flex-wrap">
        <Link to={doNotContactPath(revocation)} className={LINK}>
          Proof
        </Link>
        {at === null && <AcknowledgeButton leadId={id} size="sm" />}
      </span>
    ),
  },
]

export function OwnRevocations({ rows }: { rows: readonly OwnRevocation[] }) {
  return <DataTable label="Leads" columns={COLUMNS} items={rows} keyOf={({ id }) => id} />
}
