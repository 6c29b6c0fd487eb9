import type { WaitingClient } from '#core/contract/operations/waits.ts'
import { formatCount, formatShare } from '../format/count-of.ts'
import { RelativeTime } from '../ui/show/RelativeTime.tsx'
import { Cell } from '../ui/show/Table.tsx'

export interface WaitCountsProps {
  row: Omit<WaitingClient, 'client'>
  /** Of all workers; undefined where nobody knows. */
  slots: number | undefined
}

/** The columns that a client and an endpoint have alike. */
export function WaitCounts({ row, slots }: WaitCountsProps) {
  return (
    <>
      <Cell numeric>{formatCount(row.waiting, row.more_waiting)}</Cell>
      <Cell>{row.oldest_due_at === null ? <Nothing /> : <RelativeTime at={row.oldest_due_at} />}</Cell>
      <Cell numeric>{formatCount(row.in_flight)}</Cell>
      {/* Under way is also what holds no slot any more: an answer that is not recorded yet, what a killed worker had. */}
      <Cell numeric>
        {slots === undefined || slots === 0 ? <Nothing /> : formatShare(row.in_flight, slots)}
      </Cell>
      <Cell numeric>{formatCount(row.later, row.more_later)}</Cell>
      <Cell numeric>{formatCount(row.held, row.more_held)}</Cell>
    </>
  )
}

function Nothing() {
  return <span className="text-faint">–</span>
}
