import { Link } from 'react-router-dom'
import { isClientEvent } from '#core/contract/events.ts'
import type { DeadLetter } from '#core/contract/operations/dead-letter.ts'
import { leadPath } from '../paths.ts'
import { Badge } from '../ui/show/Badge.tsx'
import { Button } from '../ui/action/Button.tsx'
import { Checkbox } from '../ui/form/Checkbox.tsx'
import { RelativeTime } from '../ui/show/RelativeTime.tsx'
import { DataTable } from '../ui/show/table/DataTable.tsx'
import type { TableColumn } from '../ui/show/table/table-column.ts'
import { Tooltip } from '../ui/overlay/Tooltip.tsx'
import { ClientName } from '../components/admin/ClientName.tsx'
import { EndpointName } from './EndpointName.tsx'
import { reasonLabel } from './reason-label.ts'

export interface DeadLetterTableProps {
  letters: readonly DeadLetter[]
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
  onSend: (id: string) => void
}

export function DeadLetterTable({ letters, selected, onSelect, onSend }: DeadLetterTableProps) {
  const all = letters.length > 0 && letters.every(({ id }) => selected.has(id))
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  const columns: readonly TableColumn<DeadLetter>[] = [
    {
      header: 'Chosen',
      part: 'choose',
      headerClass: 'w-10',
      control: (
        <Checkbox
          isAlone
          aria-label="Select all shown"
          checked={all}
          mixed={!all && selected.size > 0}
          onChange={() => onSelect(all ? new Set() : new Set(letters.map(({ id }) => id)))}
        />
      ),
      render: ({ id, lead_id: lead, event_type: event }) => (
        <Checkbox
          isAlone
          aria-label={`Select the delivery of ${lead === null ? event : `lead ${lead.slice(-8)}`}`}
          checked={selected.has(id)}
          onChange={() => toggle(id)}
        />
      ),
    },
    ...COLUMNS,
    {
      header: 'Actions',
      part: 'actions',
      className: 'py-0! text-right',
      render: ({ id }) => (
        <Button variant="quiet" size="sm" className="h-7!" onClick={() => onSend(id)}>
          Send again
        </Button>
      ),
    },
  ]
  return (
    <DataTable
      label="Dead letters"
      className="sm:max-h-[32rem]"
      columns={columns}
      items={letters}
      keyOf={({ id }) => id}
      rowProps={({ id }) => ({ selected: selected.has(id) })}
    />
  )
}

const COLUMNS: readonly TableColumn<DeadLetter>[] = [
  { header: 'Failed', part: 'when', render: ({ failed_at: at }) => <RelativeTime at={at} /> },
  {
    header: 'Reason',
    part: 'how',
    render: ({ message, reason }) => (
      <Tooltip content={message ?? 'The log of its last attempt is gone.'}>
        <span tabIndex={0} className="rounded-sm whitespace-nowrap">
          {reasonLabel(reason)}
        </span>
      </Tooltip>
    ),
  },
  { header: 'Attempts', part: 'figure', numeric: true, render: ({ attempts }) => attempts },
  { header: 'Client', part: 'who', render: ({ client }) => <ClientName client={client} /> },
  {
    header: 'Endpoint',
    part: 'note',
    render: (letter) => (
      <span className="flex max-w-42 items-center gap-2 2xl:max-w-72 cards:max-w-full">
        <EndpointName name={letter.webhook_name} host={letter.endpoint_host} />
        {!letter.is_active && <Badge>Off</Badge>}
      </span>
    ),
  },
  {
    header: 'Lead',
    part: 'figure',
    render: ({ lead_id: lead, event_type: event }) =>
      lead === null ? (
        <span className="font-mono text-xs">{event}</span>
      ) : (
        <span className="inline-flex flex-wrap items-center gap-x-2 font-mono text-xs">
          <Link to={leadPath(lead)} className="inline-flex min-h-6 items-center rounded-sm hover:underline">
            {lead.slice(-8)}
          </Link>
          {isClientEvent(event) && event}
        </span>
      ),
  },
]
