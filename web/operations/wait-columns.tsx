import type { WaitingClient } from '#core/contract/operations/waits.ts'
import { formatCount, formatShare } from '../format/count-of.ts'
import { RelativeTime } from '../ui/show/RelativeTime.tsx'
import type { TableColumn } from '../ui/show/table/table-column.ts'

const NOTHING = <span className="text-faint">–</span>

/**
 * Columns that the tables of clients and endpoints share.
 * @param slots of all workers; undefined if unknown
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
    // Deliveries in flight also include some without a slot: answers that are not recorded yet, and those of
    // a killed worker.
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
