import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import type { ClientAccount } from '#core/contract/market/client-account.ts'
import type { LeadTypeForClient, Order } from '#core/contract/market/order.ts'
import { leadTypesQuery } from '#web/api/lead-types.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { accountQuery } from '#web/market/money-queries.ts'
import { OrderEstimate } from '#web/market/orders/OrderEstimate.tsx'
import { IDLE } from '#web/market/orders/form-status.ts'
import { OrderForm } from '#web/market/orders/OrderForm.tsx'
import { ordersQuery } from '#web/market/orders/order-queries.ts'
import { PATHS } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { StepFooter } from './StepFooter.tsx'
import type { StepFlow } from './use-setup-flow.ts'

export function OrderStep({ flow }: { flow: StepFlow }) {
  const orders = useQuery(ordersQuery)
  const types = useQuery(leadTypesQuery)
  const account = useQuery(accountQuery)
  if (orders.data === undefined || types.data === undefined || account.data === undefined) {
    const failed = [orders, types, account].find(({ isError }) => isError)
    if (failed === undefined) return <CardSkeleton />
    return (
      <LoadFailure
        title="The lead types could not be loaded."
        error={failed.error}
        onRetry={() => void failed.refetch()}
      />
    )
  }
  if (orders.data.length > 0) return <OwnOrders orders={orders.data} flow={flow} />
  return <FirstOrder types={types.data} account={account.data} flow={flow} />
}

interface FirstOrderProps {
  types: readonly LeadTypeForClient[]
  account: ClientAccount
  flow: StepFlow
}

function FirstOrder({ types, account, flow }: FirstOrderProps) {
  const formId = useId()
  const [status, setStatus] = useState(IDLE)
  return (
    <Card>
      <OrderForm
        formId={formId}
        target={null}
        types={types}
        // Without funds and approval it costs nothing, and a forgotten switch would keep leads away.
        account={account}
        startsActive
        maxLeadAge="15"
        onStatus={setStatus}
        onSaved={() => void flow.onSaved()}
      />
      <OrderEstimate status={status} className="mt-6" />
      <div className="mt-6">
        <StepFooter flow={flow}>
          <Button type="submit" form={formId} variant="primary" busy={status.saving} disabled={!status.ready}>
            {status.saving ? 'Saving...' : 'Create order'}
          </Button>
        </StepFooter>
      </div>
    </Card>
  )
}

function OwnOrders({ orders, flow }: { orders: readonly Order[]; flow: StepFlow }) {
  return (
    <Card>
      <ul aria-label="Your orders" className="flex flex-col gap-3 pb-4">
        {orders.map((order) => (
          <li key={order.id} className="min-w-0">
            <p className="text-sm font-medium break-words">{order.name}</p>
            <p className="text-sm text-muted tabular">
              {order.lead_type_label} · {order.state.sentence}
            </p>
          </li>
        ))}
      </ul>
      <p className="pb-4 text-sm text-muted">
        Change them, switch them on or add another under{' '}
        <Link to={PATHS.orders} className="text-accent-strong underline">
          Orders
        </Link>
        .
      </p>
      <StepFooter flow={flow} />
    </Card>
  )
}
