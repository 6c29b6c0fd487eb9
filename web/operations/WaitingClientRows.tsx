import clsx from 'clsx'
import { ChevronRight } from 'lucide-react'
import type { WaitingClient } from '#core/contract/operations/waits.ts'
import { Cell, Row } from '../ui/show/Table.tsx'
import { clientLabel } from './ClientName.tsx'
import { WaitCounts } from './WaitCounts.tsx'
import { WaitingEndpointRows } from './WaitingEndpointRows.tsx'

export interface WaitingClientRowsProps {
  row: WaitingClient
  /** Of all workers; undefined where nobody knows. */
  slots: number | undefined
  isOpen: boolean
  onToggle: () => void
}

/** A client, and its endpoints once it is opened. */
export function WaitingClientRows({ row, slots, isOpen, onToggle }: WaitingClientRowsProps) {
  return (
    <>
      <Row>
        <Cell className="py-0!">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={onToggle}
            title={row.client.email}
            className="flex h-9 max-w-52 items-center gap-2 rounded-sm text-left font-medium sm:max-w-80"
          >
            <ChevronRight
              aria-hidden
              className={clsx('size-4 shrink-0 text-muted transition-transform', isOpen && 'rotate-90')}
            />
            <span className="truncate">{clientLabel(row.client)}</span>
          </button>
        </Cell>
        <WaitCounts row={row} slots={slots} />
      </Row>
      {isOpen && <WaitingEndpointRows client={row.client.user_id} slots={slots} />}
    </>
  )
}
