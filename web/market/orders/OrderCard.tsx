import { Pencil, Trash2 } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { Order } from '#core/contract/market/order.ts'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { paymentRequiredPath, PATHS } from '#web/paths.ts'
import { IconButton } from '#web/ui/action/IconButton.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { OrderMeters } from './OrderMeters.tsx'
import { OrderStateBadge } from './OrderStateBadge.tsx'
import { useSwitchOrder } from './order-queries.ts'
import { sayAges, sayArea, sayLeadAge, sayPrice, saySchedule, sayStates } from './say-terms.ts'
import { offerZones } from '#web/components/schedule/time-zones.ts'

export interface OrderCardProps {
  order: Order
  onEdit: (order: Order) => void
  onDelete: (order: Order) => void
}

export function OrderCard({ order, onEdit, onDelete }: OrderCardProps) {
  return (
    <li className="min-w-0 rounded-lg border border-line bg-surface" aria-label={order.name}>
      <div className="flex items-start justify-between gap-3 px-4 pt-4 tight:flex-wrap">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 tight:basis-full">
          <h2 className="min-w-0 text-base font-semibold break-words">{order.name}</h2>
          <OrderStateBadge code={order.state.code} />
        </div>
        <div className="-my-1 flex shrink-0 items-center gap-1">
          <IconButton
            size="sm"
            label={`Edit ${order.name}`}
            icon={<Pencil aria-hidden />}
            onClick={() => onEdit(order)}
          />
          <IconButton
            size="sm"
            label={`Delete ${order.name}`}
            icon={<Trash2 aria-hidden />}
            onClick={() => onDelete(order)}
          />
        </div>
      </div>
      {/* Below the buttons, because the sentence needs the whole width if the text is enlarged. */}
      <p className="mt-1 px-4 text-sm text-muted tabular">
        {order.state.sentence}
        {order.state.code === 'out_of_funds' && (
          <>
            {' · '}
            <Link to={paymentRequiredPath(PATHS.orders)} className="rounded-sm text-accent-strong underline">
              Add funds<span className="sr-only"> for {order.name}</span>
            </Link>
          </>
        )}
      </p>
      <div className="p-4">
        <OrderMeters order={order} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line px-4 py-3">
        <Terms order={order} />
        <PauseSwitch order={order} />
      </div>
    </li>
  )
}

function Terms({ order }: { order: Order }) {
  const zone = offerZones(order.timezone).find(({ value }) => value === order.timezone)?.label
  const hours = order.schedule === null ? '' : ` · ${zone}`
  const terms = [
    order.lead_type_label,
    sayStates(order.states),
    sayArea(order),
    sayAges(order),
    sayLeadAge(order),
  ]
  return (
    <div className="min-w-0 text-sm">
      <p className="font-medium tabular">{sayPrice(order)}</p>
      <p className="text-muted">{terms.filter((term) => term !== null).join(' · ')}</p>
      <p className="text-muted tabular">{`${saySchedule(order.schedule)}${hours}`}</p>
    </div>
  )
}

/** Switches the client's own pause. The sentence above names a pause by others, which only they can end. */
function PauseSwitch({ order }: { order: Order }) {
  const change = useSwitchOrder()
  const isOn = change.isPending ? change.variables.action === 'resume' : !order.paused_by_client
  const toggle = (next: boolean) =>
    change.mutate(
      { id: order.id, action: next ? 'resume' : 'pause' },
      {
        onSuccess: ({ paused_by: by }) => {
          if (next && by !== null)
            toast.success(`Your pause of “${order.name}” is over; others still pause it`)
          else toast.success(`“${order.name}” is ${next ? 'resumed' : 'paused'}`)
        },
        onError: (error) =>
          toast.error(error instanceof ApiError ? errorSentence(error) : 'Failed to change the order'),
      },
    )
  return (
    <Switch
      label={
        <>
          Take leads<span className="sr-only"> for {order.name}</span>
        </>
      }
      asks
      checked={isOn}
      disabled={change.isPending}
      onCheckedChange={toggle}
      // At the right edge on every card, also if it has a line of its own.
      className="ml-auto shrink-0 items-center!"
    />
  )
}
