import { Link } from 'react-router-dom'
import type { DeadLetter } from '#core/contract/operations/dead-letter.ts'
import { leadPath } from '../paths.ts'
import { Badge } from '../ui/show/Badge.tsx'
import { Button } from '../ui/action/Button.tsx'
import { Checkbox } from '../ui/form/Checkbox.tsx'
import { RelativeTime } from '../ui/show/RelativeTime.tsx'
import { Cell, HeaderCell, Row, Table, TableHead } from '../ui/show/Table.tsx'
import { Tooltip } from '../ui/overlay/Tooltip.tsx'
import { ClientName } from './ClientName.tsx'
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
  return (
    <Table label="Dead letters" className="max-h-[32rem]">
      <TableHead>
        <HeaderCell className="w-10">
          <Checkbox
            aria-label="Select all shown"
            checked={all}
            mixed={!all && selected.size > 0}
            onChange={() => onSelect(all ? new Set() : new Set(letters.map(({ id }) => id)))}
          />
        </HeaderCell>
        <HeaderCell>Failed</HeaderCell>
        <HeaderCell>Reason</HeaderCell>
        <HeaderCell numeric>Attempts</HeaderCell>
        <HeaderCell>Client</HeaderCell>
        <HeaderCell>Endpoint</HeaderCell>
        <HeaderCell>Lead</HeaderCell>
        <HeaderCell>
          <span className="sr-only">Actions</span>
        </HeaderCell>
      </TableHead>
      <tbody>
        {letters.map((letter) => (
          <DeadLetterRow
            key={letter.id}
            letter={letter}
            selected={selected.has(letter.id)}
            onToggle={() => toggle(letter.id)}
            onSend={() => onSend(letter.id)}
          />
        ))}
      </tbody>
    </Table>
  )
}

interface DeadLetterRowProps {
  letter: DeadLetter
  selected: boolean
  onToggle: () => void
  onSend: () => void
}

function DeadLetterRow({ letter, selected, onToggle, onSend }: DeadLetterRowProps) {
  const shortId = letter.lead_id.slice(-8)
  return (
    <Row selected={selected}>
      <Cell>
        <Checkbox
          aria-label={`Select the delivery of lead ${shortId}`}
          checked={selected}
          onChange={onToggle}
        />
      </Cell>
      <Cell>
        <RelativeTime at={letter.failed_at} />
      </Cell>
      <Cell>
        <Tooltip content={letter.message ?? 'The log of its last attempt is gone.'}>
          <span tabIndex={0} className="rounded-sm whitespace-nowrap">
            {reasonLabel(letter.reason)}
          </span>
        </Tooltip>
      </Cell>
      <Cell numeric>{letter.attempts}</Cell>
      <Cell>
        <ClientName client={letter.client} />
      </Cell>
      <Cell>
        <span className="flex max-w-96 items-center gap-2">
          <EndpointName name={letter.webhook_name} host={letter.endpoint_host} />
          {!letter.is_active && <Badge>Off</Badge>}
        </span>
      </Cell>
      <Cell>
        <Link to={leadPath(letter.lead_id)} className="rounded-sm font-mono text-xs hover:underline">
          {shortId}
        </Link>
      </Cell>
      <Cell className="py-0! text-right">
        <Button variant="quiet" size="sm" className="h-7!" onClick={onSend}>
          Send again
        </Button>
      </Cell>
    </Row>
  )
}
