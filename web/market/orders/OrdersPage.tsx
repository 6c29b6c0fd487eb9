import { useQuery } from '@tanstack/react-query'
import { ClipboardList, Plus } from 'lucide-react'
import { useState } from 'react'
import { MOST_ORDERS, type Order } from '#core/contract/market/order.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { countOf } from '#web/format/count-of.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { Beneath } from '#web/ui/wait/Beneath.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { FundingNotice } from '../FundingNotice.tsx'
import { useBalance } from '../money-queries.ts'
import { DeleteOrderDialog } from './DeleteOrderDialog.tsx'
import { OrderCard } from './OrderCard.tsx'
import { OrderDialog } from './OrderDialog.tsx'
import { ordersQuery } from './order-queries.ts'

interface OpenDialog {
  kind: 'form' | 'delete'
  open: boolean
  target: Order | null
}

export function OrdersPage() {
  const orders = useQuery(ordersQuery)
  const { isNone, ...balance } = useBalance()
  const [dialog, setDialog] = useState<OpenDialog>({ kind: 'form', open: false, target: null })
  const close = () => setDialog((current) => ({ ...current, open: false }))
  const add = () => setDialog({ kind: 'form', open: true, target: null })
  const isFull = (orders.data?.length ?? 0) >= MOST_ORDERS
  return (
    <div className="flex flex-col gap-6">
      <title>Orders · Leadwire</title>
      <PageHeader
        title="Orders"
        description="What leads you want, from where, how many and when."
        actions={
          <>
            {isFull && (
              <p id="orders-full" className="text-sm text-muted">
                {`You have ${countOf(MOST_ORDERS, 'order')}, the maximum. Delete one to add another.`}
              </p>
            )}
            <Button
              variant="primary"
              icon={<Plus aria-hidden className="size-4" />}
              disabled={isFull}
              {...(isFull && { 'aria-describedby': 'orders-full' })}
              onClick={add}
            >
              New order
            </Button>
          </>
        }
      />
      <Beneath isReady={(isNone || !balance.isPending) && !orders.isPending} fallback={<CardSkeleton />}>
        <FundingNotice />
        {orders.isPending ? (
          <CardSkeleton />
        ) : orders.data === undefined ? (
          <LoadFailure
            title="Your orders could not be loaded."
            error={orders.error}
            onRetry={() => void orders.refetch()}
          />
        ) : orders.data.length === 0 ? (
          <Card>
            <EmptyState
              icon={<ClipboardList aria-hidden />}
              title="No orders yet"
              action={
                <Button variant="primary" onClick={add}>
                  Create your first order
                </Button>
              }
            >
              An order says which leads you buy: type, states, how many a day and at what hours. It costs
              nothing until a lead comes.
            </EmptyState>
          </Card>
        ) : (
          <ul className="flex flex-col gap-4">
            {orders.data.map((order) => (
              <OrderCard
                key={order.id}
                order={order}
                onEdit={(target) => setDialog({ kind: 'form', open: true, target })}
                onDelete={(target) => setDialog({ kind: 'delete', open: true, target })}
              />
            ))}
          </ul>
        )}
      </Beneath>
      <OrderDialog open={dialog.open && dialog.kind === 'form'} target={dialog.target} onClose={close} />
      <DeleteOrderDialog
        open={dialog.open && dialog.kind === 'delete'}
        target={dialog.target}
        onClose={close}
      />
    </div>
  )
}
