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

const nameLead = ({ lead_id: id, lead_name: name, lead_type: type }: OwnRevocation) =>
  name ?? `${words(type ?? 'lead')} ${id.slice(-8)}`

const COLUMNS: readonly TableColumn<OwnRevocation>[] = [
  {
    header: 'Lead',
    part: 'who',
    className: 'font-medium',
    render: (row) => (
      <Link to={leadPath(row.lead_id)} className={LINK}>
        {nameLead(row)}
      </Link>
    ),
  },
  {
    header: 'Revoked',
    part: 'when',
    render: ({ revoked_at: at }) => (at === null ? '' : <RelativeTime at={at} />),
  },
  { header: 'Receipt', part: 'how', render: (row) => <Receipt {...row} /> },
]

export interface OwnRevocationsProps {
  rows: readonly OwnRevocation[]
  /** called when a button has gone with its row */
  onAcknowledged: () => void
}

export function OwnRevocations({ rows, onAcknowledged }: OwnRevocationsProps) {
  const actions: TableColumn<OwnRevocation> = {
    header: 'Actions',
    part: 'actions',
    className: 'py-1! text-right whitespace-nowrap',
    render: (row) => (
      <span className="inline-flex items-center gap-x-3 gap-y-1 cards:flex-wrap">
        <Link to={doNotContactPath(row.revocation_id)} className={LINK}>
          Proof
        </Link>
        {row.acknowledged_at === null && (
          <AcknowledgeButton
            leadId={row.lead_id}
            label={`Acknowledge ${nameLead(row)}`}
            onAcknowledged={onAcknowledged}
          />
        )}
      </span>
    ),
  }
  return <DataTable label="Leads" columns={[...COLUMNS, actions]} items={rows} keyOf={({ id }) => id} />
}
