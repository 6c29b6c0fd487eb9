import type { WaitingClient } from '#core/contract/operations/waits.ts'
import { formatCount } from '../format/count-of.ts'
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
      <Cell numeric>{slots === undefined || slots === 0 ? <Nothing /> : share(row.in_flight, slots)}</Cell>
      <Cell numeric>{formatCount(row.later, row.more_later)}</Cell>
      <Cell numeric>{formatCount(row.held, row.more_held)}</Cell>
    </>
  )
}

function Nothing() {
  return <span className="text-faint">–</span>
}

/** "7%"; what is under way is never 0%. */
function share(inFlight: number, slots: number) {
  const percent = (100 * inFlight) / slots
  return percent > 0 && percent < 1 ? '< 1%' : `${Math.round(percent)}%`
}
