import type { WaitingClient } from '#core/contract/operations/waits.ts'
import { formatCount, formatShare } from '../format/count-of.ts'
import { RelativeTime } from '../ui/show/RelativeTime.tsx'
import type { TableColumn } from '../ui/show/table/table-column.ts'

const NOTHING = <span className="text-faint">–</span>

/**
 * The columns that a client and an endpoint have alike.
 * @param slots of all workers; undefined where nobody knows
 */
export function listWaitColumns(
  slots: number | undefined,
): readonly TableColumn<Omit<WaitingClient, 'client'>>[] {
  return [
    {
      header: 'Waiting',
      part: 'figure',
      numeric: true,
      render: ({ waiting, more_waiting: more }) => formatCount(waiting, more),
    },
    {
      header: 'Since',
      part: 'figure',
      render: ({ oldest_due_at: at }) => (at === null ? NOTHING : <RelativeTime at={at} />),
    },
    { header: 'Under way', part: 'figure', numeric: true, render: (row) => formatCount(row.in_flight) },
    // Under way is also what holds no slot any more: an answer that is not recorded yet, what a killed worker had.
    {
      header: 'Share of slots',
      part: 'figure',
      numeric: true,
      render: (row) => (slots === undefined || slots === 0 ? NOTHING : formatShare(row.in_flight, slots)),
    },
    {
      header: 'Planned',
      part: 'figure',
      numeric: true,
      render: ({ later, more_later: more }) => formatCount(later, more),
    },
    {
      header: 'Held',
      part: 'figure',
      numeric: true,
      render: ({ held, more_held: more }) => formatCount(held, more),
    },
  ]
}
