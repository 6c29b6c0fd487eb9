import { useQuery } from '@tanstack/react-query'
import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { formatMoney } from '#web/format/money.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { DialogClose, Dialog } from '#web/ui/overlay/Dialog.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { clientQuery } from '../../admin-market-queries.ts'
import { sayWhoPaused } from '../orders/say-who-paused.ts'
import { ClientState } from './ClientState.tsx'
import { nameClient } from './name-client.ts'

export interface ClientDialogProps {
  id: string
  title: string
  onAdjust: () => void
  onClose: () => void
}

/** Shows one client: business, orders and own prices. */
export function ClientDialog({ id, title, onAdjust, onClose }: ClientDialogProps) {
  const client = useQuery(clientQuery(id))
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={client.data === undefined ? title : nameClient(client.data)}
      size="md"
      footer={
        <>
          {client.data !== undefined && canAdjust(client.data) && (
            <Button onClick={onAdjust}>
              {client.data.status === 'erased' ? 'Pay out balance' : 'Adjust balance'}
            </Button>
          )}
          <DialogClose>Close</DialogClose>
        </>
      }
    >
      {client.data !== undefined ? (
        <Details client={client.data} />
      ) : client.isError ? (
        <LoadFailure
          title="The client could not be loaded."
          error={client.error}
          onRetry={() => void client.refetch()}
        />
      ) : (
        <CardSkeleton />
      )}
    </Dialog>
  )
}

/** The rest of an erased account's balance can only be paid out. */
function canAdjust({ status, balance }: AdminClientDetail) {
  return status !== 'erased' || Number(balance) > 0
}

function Details({ client }: { client: AdminClientDetail }) {
  const facts: readonly (readonly [string, string | null])[] = [
    ['Email', client.email],
    ['Business', client.business_name],
    ['Phone', client.phone],
    ['NPN', client.npn],
    ['Licensed states', client.licensed_states.join(', ') || 'None named: leads from every state'],
    ['Time zone', client.timezone],
    ['Balance', formatMoney(client.balance)],
    ['Low balance notice', `Below ${formatMoney(client.low_balance_threshold)}`],
    ['Auto-recharge', client.auto_recharge_enabled ? 'On' : 'Off'],
    ['Webhooks switched on', String(client.webhooks_active)],
  ]
  return (
    <div className="flex flex-col gap-5 text-sm">
      <div>
        <ClientState state={client.status} />
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 tight:grid-cols-1 tight:gap-y-0">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 break-words tabular tight:pb-2">
              {value === null || value === '' ? <span className="text-faint">Not given</span> : value}
            </dd>
          </div>
        ))}
      </dl>
      <Lines title="Orders" none="No orders yet">
        {client.order_list.map((order) => ({
          key: order.id,
          text: `${order.name} · ${order.lead_type_label} · ${formatMoney(order.charged)}`,
          aside: sayWhoPaused(order) ?? `${order.leads} leads`,
        }))}
      </Lines>
      <Lines title="Own prices" none="The price list counts for this client">
        {client.prices.map(({ id, lead_type, state, price }) => ({
          key: id,
          text: `${lead_type} · ${state ?? 'all states'}`,
          aside: formatMoney(price),
        }))}
      </Lines>
    </div>
  )
}

interface LinesProps {
  title: string
  none: string
  children: readonly { key: string; text: string; aside: string }[]
}

function Lines({ title, none, children }: LinesProps) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">{title}</h3>
      {children.length === 0 ? (
        <p className="text-muted">{none}</p>
      ) : (
        <ul className="divide-y divide-line">
          {children.map(({ key, text, aside }) => (
            <li key={key} className="flex flex-wrap justify-between gap-x-4 py-1.5">
              <span className="min-w-0 flex-1 basis-40 break-words">{text}</span>
              <span className="text-muted tabular">{aside}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
