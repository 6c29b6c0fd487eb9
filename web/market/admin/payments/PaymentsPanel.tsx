import { useInfiniteQuery } from '@tanstack/react-query'
import { Wallet } from 'lucide-react'
import { useState } from 'react'
import { formatReceiptNumber } from '#core/domain/market/payments/receipt-words.ts'
import { apiPath } from '#web/api/api-path.ts'
import { paymentReference } from '#core/domain/market/payments/payment-reference.ts'
import { PAYMENT_STATES, type AdminPayment } from '#core/contract/market/money/payment.ts'
import { DisputeBadge } from '#web/components/DisputeBadge.tsx'
import { formatMoney } from '#web/format/money.ts'
import { words } from '#web/format/words.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import type { Tone } from '#web/ui/show/tone.ts'
import { ClientName } from '#web/components/admin/ClientName.tsx'
import { DecisionButtons } from '#web/components/admin/DecisionButtons.tsx'
import { paymentsQuery } from '../../admin-market-queries.ts'
import { StatusCard } from '#web/components/admin/StatusCard.tsx'
import { ReceiptDownload } from '../../billing/ReceiptDownload.tsx'
import { PaymentDifferences } from './PaymentDifferences.tsx'
import { PaymentDecision } from './PaymentDecision.tsx'

/** Lists disputed payments of any status. */
const DISPUTED = 'disputed'
const STATUSES = [
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
    <div className="flex flex-col gap-6">
      <StatusCard
        title="Payments"
        query={payments}
        status={status}
        onStatusChange={setStatus}
        statuses={STATUSES}
        icon={<Wallet aria-hidden />}
        nothingWaits="No payment waits"
        hint="A client who asks to add funds appears here until the money is there."
        keyOf={({ id }) => id}
        columns={[
          { header: 'Client', render: ({ client }) => <ClientName client={client} /> },
          { header: 'Amount', part: 'brief', numeric: true, render: ({ amount }) => formatMoney(amount) },
          { header: 'Way', part: 'brief', render: (payment) => <Way payment={payment} /> },
          { header: 'Asked', part: 'when', render: ({ created_at: at }) => <RelativeTime at={at} /> },
          { header: 'Status', part: 'how', render: (payment) => <Status payment={payment} /> },
        ]}
        needs="money"
        renderActions={(payment) =>
          payment.receipt_number !== null ? (
            <ReceiptDownload
              path={apiPath('admin', 'payments', payment.id, 'receipt')}
              number={payment.receipt_number}
            />
          ) : isDecidable(payment) ? (
            <DecisionButtons
              yes="Received"
              no="Reject"
              about={`${formatMoney(payment.amount)} from ${payment.client.name}`}
              onAsk={(isReceipt) => setAsked({ payment, isReceipt })}
            />
          ) : null
        }
      />
      <PaymentDifferences />
      {asked !== undefined && <PaymentDecision {...asked} onClose={() => setAsked(undefined)} />}
    </div>
  )
}

/**
 * An administrator decides a requested payment. For a charge the payment provider decides, unless it has left
 * that open.
 */
function isDecidable({ status, kind, failure }: AdminPayment) {
  return status === 'pending' && (kind === 'top_up' || failure !== null)
}

function Way({ payment }: { payment: AdminPayment }) {
  return (
    <>
      {nameWay(payment)}
      {payment.method === 'request' && (
        <span className="block font-mono text-xs text-muted">{paymentReference(payment.id)}</span>
      )}
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
      {payment.dispute_due_by !== null && (
        <span className="block text-xs text-failure">
          Answer the dispute by <RelativeTime at={payment.dispute_due_by} />
        </span>
      )}
      {payment.receipt_number !== null && (
        <span className="block text-xs text-muted tabular">
          Receipt {formatReceiptNumber(payment.receipt_number)}
        </span>
      )}
      {payment.asked_amount !== null && (
        <span className="block text-xs text-muted tabular">
          {formatMoney(payment.asked_amount)} was asked for
        </span>
      )}
      {payment.taken_back !== '0.00' && (
        <span className="block text-xs text-muted tabular">{formatMoney(payment.taken_back)} went back</span>
      )}
      {said !== null && <span className="block text-xs break-words text-muted">{said}</span>}
    </span>
  )
}
