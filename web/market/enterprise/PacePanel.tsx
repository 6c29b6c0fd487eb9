import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { Order } from '#core/contract/market/order.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { formatMoney } from '#web/format/money.ts'
import { PATHS } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import type { TableColumn } from '#web/ui/show/table/table-column.ts'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { CountMeter } from '../orders/OrderMeters.tsx'
import { OrderStateBadge } from '../orders/OrderStateBadge.tsx'
import { ordersQuery } from '../orders/order-queries.ts'
import { ExportButton } from './ExportButton.tsx'
import { sayPace, writePace } from './pace-rows.ts'

const TITLE = 'Caps and pace'

/** Shows each order's count against its cap, and a forecast for the day. */
export function PacePanel() {
  const orders = useQuery(ordersQuery)
  const now = useNow()
  if (orders.data === undefined && orders.isError) {
    return (
      <LoadFailure
        title="Your orders could not be loaded."
        error={orders.error}
        onRetry={() => void orders.refetch()}
      />
    )
  }
  const columns: readonly TableColumn<Order>[] = [
    {
      header: 'Order',
      part: 'who',
      className: 'min-w-40 max-w-72',
      render: ({ name }) => (
        <Link
          to={PATHS.orders}
          title={name}
          className="block truncate rounded-sm py-0.5 font-medium hover:underline"
        >
          {name}
        </Link>
      ),
    },
    { header: 'Status', part: 'how', render: ({ state }) => <OrderStateBadge code={state.code} /> },
    {
      header: 'Today',
      part: 'note',
      className: 'min-w-36',
      render: ({ tallies, daily_cap }) => (
        <CountMeter label="Today" leads={tallies.today.leads} cap={daily_cap} />
      ),
    },
    {
      header: 'Heading for',
      part: 'note',
      className: 'min-w-44 text-muted',
      render: (order) => sayPace(order, new Date(now)),
    },
    {
      header: 'This month',
      part: 'note',
      className: 'min-w-36',
      render: ({ tallies, monthly_cap }) => (
        <CountMeter label="This month" leads={tallies.month.leads} cap={monthly_cap} />
      ),
    },
    {
      header: 'Spent today',
      part: 'figure',
      numeric: true,
      render: ({ tallies }) => formatMoney(tallies.today.spent),
    },
  ]
  return (
    <Card
      title={TITLE}
      flush
      actions={
        <ExportButton
          what="orders"
          disabled={(orders.data ?? []).length === 0}
          write={() => writePace(orders.data ?? [], new Date())}
        />
      }
    >
      {orders.data === undefined ? (
        <Waiting label="Loading your orders" className="flex flex-col gap-4 p-4">
          {[1, 2, 3].map((line) => (
            <Skeleton key={line} className="h-6 w-full" />
          ))}
        </Waiting>
      ) : orders.data.length === 0 ? (
        <EmptyState
          title="No orders yet"
          action={
            <Link to={PATHS.orders} className={buttonClass()}>
              Create an order
            </Link>
          }
        >
          An order says which leads you buy, and how many a day.
        </EmptyState>
      ) : (
        <DataTable
          label={TITLE}
          className="max-h-96"
          movesByRow
          columns={columns}
          items={orders.data}
          keyOf={({ id }) => id}
        />
      )}
    </Card>
  )
}
