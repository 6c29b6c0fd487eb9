import { useInfiniteQuery } from '@tanstack/react-query'
import { Wallet } from 'lucide-react'
import { useState } from 'react'
import { PAYMENT_STATES, type AdminPayment } from '#core/contract/market/payment.ts'
import { DisputeBadge } from '#web/components/DisputeBadge.tsx'
import { formatMoney } from '#web/format/money.ts'
import { words } from '#web/format/words.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import type { Tone } from '#web/ui/show/tone.ts'
import { ClientName } from '../../ClientName.tsx'
import { nameClient } from '../clients/name-client.ts'
import { Listing } from '../Listing.tsx'
import { paymentsQuery } from '../market-queries.ts'
import { PagedCard } from '../PagedCard.tsx'
import { PaymentDecision } from './PaymentDecision.tsx'

/** Whatever became of it. */
const DISPUTED = 'disputed'
const STATUS_OPTIONS = [
  { value: '', label: 'All payments' },
  ...PAYMENT_STATES.map((value) => ({ value: value as string, label: words(value) })),
  { value: DISPUTED, label: 'Disputed' },
]
const TONES: Record<AdminPayment['status'], Tone> = {
  pending: 'waiting',
  received: 'success',
  failed: 'failure',
  cancelled: 'neutral',
}

export function PaymentsPanel() {
  const [status, setStatus] = useState('pending')
  const [asked, setAsked] = useState<{ payment: AdminPayment; isReceipt: boolean }>()
  const payments = useInfiniteQuery(paymentsQuery(status === DISPUTED ? { disputed: 'true' } : { status }))
  return (
    <>
      <PagedCard
        title="Payments"
        failure="The payments could not be loaded."
        query={payments}
        filters={
          <Select
            aria-label="Status"
            value={status}
            onValueChange={setStatus}
            options={STATUS_OPTIONS}
            className="w-auto! min-w-44"
          />
        }
        empty={
          <EmptyState
            icon={<Wallet aria-hidden />}
            title={status === 'pending' ? 'No payment waits' : 'No payments'}
          >
            A client who asks to add funds appears here until the money is there.
          </EmptyState>
        }
      >
        {(items) => (
          <Listing
            label="Payments"
            items={items}
            keyOf={({ id }) => id}
            columns={[
              { header: 'Client', render: ({ client }) => <ClientName client={client} /> },
              { header: 'Amount', numeric: true, render: ({ amount }) => formatMoney(amount) },
              { header: 'Way', render: (payment) => nameWay(payment) },
              { header: 'Asked', render: ({ created_at: at }) => <RelativeTime at={at} /> },
              { header: 'Status', render: (payment) => <Status payment={payment} /> },
            ]}
            renderActions={(payment) => (
              <Decide payment={payment} onAsk={(isReceipt) => setAsked({ payment, isReceipt })} />
            )}
          />
        )}
      </PagedCard>
      {asked !== undefined && <PaymentDecision {...asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function nameWay({ kind, method }: AdminPayment) {
  if (kind === 'auto_recharge') return 'Auto-recharge'
  return method === 'request' ? 'Paid outside' : 'Payment provider'
}

function Status({ payment }: { payment: AdminPayment }) {
  const said = payment.failure ?? payment.note
  return (
    <span className="block max-w-72">
      <span className="flex flex-wrap gap-1.5">
        <Badge tone={TONES[payment.status]}>{words(payment.status)}</Badge>
        <DisputeBadge dispute={payment.dispute} />
      </span>
      {payment.taken_back !== '0.00' && (
        <span className="block text-xs text-muted tabular">{formatMoney(payment.taken_back)} went back</span>
      )}
      {said !== null && <span className="block text-xs break-words text-muted">{said}</span>}
    </span>
  )
}

function Decide({ payment, onAsk }: { payment: AdminPayment; onAsk: (isReceipt: boolean) => void }) {
  if (payment.status !== 'pending') return null
  const of = `${formatMoney(payment.amount)} from ${nameClient(payment.client)}`
  return (
    <span className="inline-flex gap-2">
      <Button size="sm" aria-label={`Received ${of}`} onClick={() => onAsk(true)}>
        Received
      </Button>
      <Button size="sm" variant="quiet" aria-label={`Reject ${of}`} onClick={() => onAsk(false)}>
        Reject
      </Button>
    </span>
  )
}
