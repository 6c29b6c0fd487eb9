import { useInfiniteQuery } from '@tanstack/react-query'
import { CirclePause, ClipboardList } from 'lucide-react'
import { useState } from 'react'
import type { AdminOrder } from '#core/contract/market/admin-order.ts'
import { formatMoney } from '#web/format/money.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { ClientName } from '#web/components/admin/ClientName.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { ordersQuery } from '../../admin-market-queries.ts'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { OrderDialog } from './OrderDialog.tsx'
import { sayWhoPaused } from './say-who-paused.ts'

const PAUSED_OPTIONS = [
  { value: '', label: 'All orders' },
  { value: 'false', label: 'Not paused' },
  { value: 'true', label: 'Paused' },
]

export function OrdersPanel() {
  const [paused, setPaused] = useState('')
  const [edited, setEdited] = useState<AdminOrder>()
  const orders = useInfiniteQuery(ordersQuery({ client: '', paused }))
  const rows = orders.data?.pages.flatMap((page) => page.data)
  return (
    <>
      <PagedCard
        title="Orders"
        isTitleHidden
        failure="The orders could not be loaded."
        query={orders}
        filters={
          <Select
            aria-label="Paused or not"
            value={paused}
            onValueChange={setPaused}
            options={PAUSED_OPTIONS}
            className="w-auto! min-w-[min(11rem,100%)]"
          />
        }
        onClear={paused === '' ? undefined : () => setPaused('')}
        empty={
          <EmptyState icon={<ClipboardList aria-hidden />} title="No orders yet">
            What clients want to buy appears here.
          </EmptyState>
        }
      >
        {(items) => (
          <Listing
            label="Orders"
            items={items}
            keyOf={({ id }) => id}
            columns={[
              { header: 'Order', render: (order) => <OrderLine order={order} /> },
              { header: 'Client', render: ({ client }) => <ClientName client={client} /> },
              { header: 'Price', numeric: true, render: (order) => <Price order={order} /> },
              { header: 'Priority', numeric: true, render: ({ priority }) => priority },
              { header: 'Weight', numeric: true, render: ({ weight }) => weight },
              { header: 'Leads', numeric: true, render: ({ leads }) => leads.toLocaleString('en-US') },
              {
                header: 'Last lead',
                render: ({ last_assigned_at: at }) => at !== null && <RelativeTime at={at} />,
              },
            ]}
            needs="clients"
            renderActions={(order) => (
              <Button
                size="sm"
                variant="quiet"
                aria-label={`Change ${order.name}`}
                onClick={() => setEdited(order)}
              >
                Change
              </Button>
            )}
          />
        )}
      </PagedCard>
      {edited !== undefined && (
        <OrderDialog
          order={rows?.find(({ id }) => id === edited.id) ?? edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

function OrderLine({ order }: { order: AdminOrder }) {
  const paused = sayWhoPaused(order)
  return (
    <span className="block max-w-64">
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="max-w-full truncate" title={order.name}>
          {order.name}
        </span>
        {paused !== undefined && (
          <Badge tone="waiting" icon={<CirclePause aria-hidden />}>
            {paused}
          </Badge>
        )}
      </span>
      <span className="block truncate text-xs font-normal text-muted">
        {order.lead_type_label} · {order.states.length === 0 ? 'all states' : order.states.join(', ')}
        {order.max_lead_age_minutes !== null &&
          ` · up to ${order.max_lead_age_minutes.toLocaleString('en-US')} min old`}
      </span>
    </span>
  )
}

/** The order's own price, or the price of the list. */
function Price({ order }: { order: AdminOrder }) {
  return (
    <>
      {formatMoney(order.charged)}
      {order.price === null && <span className="block text-xs text-muted">price list</span>}
    </>
  )
}
