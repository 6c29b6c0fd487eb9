import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from 'react-router-dom'
import type { Payment } from '#core/contract/market/money/payment.ts'
import { errorSentence } from '#web/api/errors.ts'
import { DisputeBadge } from '#web/components/DisputeBadge.tsx'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { formatMoney } from '#web/format/money.ts'
import { paymentPath } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { toast } from '#web/ui/overlay/toast.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'
import { paymentsQuery, useCancelPayment } from '../money-queries.ts'
import { describePayment } from '#core/domain/market/payments/receipt-words.ts'
import { PAYMENT_STATUS } from './payment-words.ts'

/** Lists the payments. A pending one can be completed or cancelled; a received one has a receipt. */
export function PaymentList() {
  const payments = useInfiniteQuery(paymentsQuery)
  const card = useRef<HTMLElement>(null)
  const rows = payments.data?.pages.flatMap(({ data }) => data)
  if (rows === undefined && payments.isError) {
    return (
      <LoadFailure
        title="Your payments could not be loaded."
        error={payments.error}
        onRetry={() => void payments.refetch()}
      />
    )
  }
  return (
    <Card ref={card} tabIndex={-1} title="Payments" className="outline-none" flush>
      {rows === undefined ? (
        <Waiting label="Loading the payments" className="flex flex-col gap-3 p-4">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
        </Waiting>
      ) : rows.length === 0 ? (
        <p className="p-4 text-sm text-muted">No payments yet.</p>
      ) : (
        <ul aria-label="Payments" className="divide-y divide-line">
          {rows.map((payment) => (
            <PaymentLine key={payment.id} payment={payment} onCancelled={() => card.current?.focus()} />
          ))}
        </ul>
      )}
      {payments.hasNextPage && (
        <div className="border-t border-line p-3">
          <Button size="sm" busy={payments.isFetchingNextPage} onClick={() => void payments.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  )
}

function PaymentLine({ payment, onCancelled }: { payment: Payment; onCancelled: () => void }) {
  const cancel = useCancelPayment()
  const { label, tone } = PAYMENT_STATUS[payment.status]
  const amount = formatMoney(payment.amount)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-40">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium tabular">
          {amount}
          <Badge tone={tone}>{label}</Badge>
          <DisputeBadge dispute={payment.dispute} />
        </p>
        <p className="text-xs break-words text-muted">
          {describePayment(payment)} · <RelativeTime at={payment.decided_at ?? payment.created_at} />
          {payment.failure !== null && ` · ${payment.failure}`}
          {payment.asked_amount !== null && ` · ${formatMoney(payment.asked_amount)} was asked for`}
          {payment.taken_back !== '0.00' && ` · ${formatMoney(payment.taken_back)} went back`}
        </p>
      </div>
      {payment.status === 'pending' && payment.checkout_url !== null && (
        <a href={payment.checkout_url} className={buttonClass('secondary', 'sm')}>
          Continue to payment
        </a>
      )}
      {payment.status === 'pending' && payment.kind === 'top_up' && (
        <Button
          size="sm"
          aria-label={`Cancel ${amount}`}
          busy={cancel.isPending}
          onClick={() =>
            cancel.mutate(payment.id, {
              onSuccess: () => {
                toast.success('The payment is cancelled')
                // The button disappears with the cancelled payment.
                onCancelled()
              },
              onError: (error) => toast.error(errorSentence(error)),
            })
          }
        >
          Cancel
        </Button>
      )}
      {payment.status === 'received' && (
        <Link to={paymentPath(payment.id)} className={buttonClass('secondary', 'sm')}>
          Receipt<span className="sr-only"> of {amount}</span>
        </Link>
      )}
    </li>
  )
}
