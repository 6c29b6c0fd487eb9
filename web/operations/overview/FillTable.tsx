import { ClipboardList } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { Overview } from '#core/contract/operations/overview.ts'
import { formatCount, formatShare } from '#web/format/count-of.ts'
import { adminItemPath, adminPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'

const PER = { day: 'a day', week: 'a week', month: 'a month', total: 'in all' } as const

/** How much of its caps each running order got, those that miss most leads first. */
export function FillTable({ rows }: { rows: Overview['fill'] }) {
  const caps = rows.flatMap(({ caps: its, ...order }) => its.map((cap) => ({ ...order, cap })))
  return (
    <Card
      title="Fill rate by order and cap"
      flush
      actions={
        <Link to={adminPath('orders')} className={buttonClass('quiet', 'sm')}>
          All orders
        </Link>
      }
    >
      {rows.length === 0 ? (
        <EmptyState icon={<ClipboardList aria-hidden />} title="No running order has a cap" />
      ) : (
        <DataTable
          label="Fill rate by order and cap"
          className="sm:max-h-96"
          items={caps}
          keyOf={({ order_id, cap }) => `${order_id} ${cap.per}`}
          columns={[
            {
              header: 'Order',
              part: 'who',
              className: 'font-medium',
              render: ({ order_name, client_id, client_name }) => (
                <span className="block max-w-64">
                  <span className="block truncate">
                    <bdi>{order_name}</bdi>
                  </span>
                  <Link
                    to={adminItemPath('clients', client_id)}
                    className="-mb-1 block min-w-6 truncate rounded-sm py-1 text-xs font-normal text-muted hover:underline"
                  >
                    <bdi>{client_name}</bdi>
                  </Link>
                </span>
              ),
            },
            {
              header: 'Leads of cap',
              part: 'figure',
              numeric: true,
              render: ({ cap: { leads, cap, per } }) =>
                `${formatCount(leads)} of ${formatCount(cap)} ${PER[per]}`,
            },
            {
              header: 'Fill rate',
              part: 'figure',
              numeric: true,
              render: ({ cap: { leads, cap } }) => formatShare(leads, cap),
            },
          ]}
        />
      )}
    </Card>
  )
}
