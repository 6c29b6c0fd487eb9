import { CirclePause, ClipboardList } from 'lucide-react'
import { useState } from 'react'
import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import type { AdminOrder } from '#core/contract/market/admin-order.ts'
import { Listing } from '#web/components/admin/Listing.tsx'
import { formatMoney } from '#web/format/money.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { OrderDialog } from '../../orders/OrderDialog.tsx'
import { sayWhoPaused } from '../../orders/say-who-paused.ts'

/** The client's orders, newest first; each can be changed here. */
export function ClientOrders({ client }: { client: AdminClientDetail }) {
  const [edited, setEdited] = useState<string>()
  const orders = client.order_list
  const order = orders.find(({ id }) => id === edited)
  return (
    <Card title="Orders" flush>
      {orders.length === 0 ? (
        <EmptyState icon={<ClipboardList aria-hidden />} title="No orders yet">
          The client has not asked for any leads.
        </EmptyState>
      ) : (
        <Listing
          label="Orders"
          items={orders}
          keyOf={({ id }) => id}
          columns={[
            {
              header: 'Order',
              render: ({ name }) => <span className="block max-w-64 break-words">{name}</span>,
            },
            { header: 'Status', part: 'how', render: (one) => <State order={one} /> },
            { header: 'Leads of', part: 'brief', render: (one) => sayWhich(one) },
            { header: 'Price', numeric: true, render: ({ charged }) => formatMoney(charged) },
            { header: 'A day', numeric: true, render: ({ daily_cap: cap }) => cap },
            { header: 'Leads', numeric: true, render: ({ leads }) => leads.toLocaleString('en-US') },
            {
              header: 'Last lead',
              render: ({ last_assigned_at: at }) => (at === null ? null : <RelativeTime at={at} />),
            },
          ]}
          needs="clients"
          renderActions={({ id, name }) => (
            <Button size="sm" variant="quiet" aria-label={`Change ${name}`} onClick={() => setEdited(id)}>
              Change
            </Button>
          )}
        />
      )}
      {order !== undefined && <OrderDialog order={order} onClose={() => setEdited(undefined)} />}
    </Card>
  )
}

function sayWhich({ lead_type_label: type, states }: AdminOrder) {
  return `${type} · ${states.length === 0 ? 'all states' : states.join(', ')}`
}

function State({ order }: { order: AdminOrder }) {
  const paused = sayWhoPaused(order)
  if (paused === undefined) return <Badge tone="success">Active</Badge>
  return (
    <Badge tone="waiting" icon={<CirclePause aria-hidden />}>
      {paused}
    </Badge>
  )
}
