import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Printer } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { Payment } from '#core/contract/market/money/payment.ts'
import { formatReceiptNumber, listReceiptLines } from '#core/domain/market/payments/receipt-words.ts'
import { apiPath } from '#web/api/api-path.ts'
import { meQuery } from '#web/api/me.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { formatMoney } from '#web/format/money.ts'
import { settingsPath } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { exactTime } from '#web/ui/show/format-time.ts'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { accountQuery, paymentQuery } from '../money-queries.ts'
import { HowToPay } from './HowToPay.tsx'
import { ReceiptDownload } from './ReceiptDownload.tsx'
import { PAYMENT_STATUS } from './payment-words.ts'

/** Shows one payment. The provider's page leads back to it; once received, it is a printable receipt. */
export function PaymentView({ id }: { id: string }) {
  const payment = useQuery(paymentQuery(id))
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <Link
        to={settingsPath('billing')}
        className="inline-flex items-center gap-1.5 self-start rounded-sm py-0.5 text-sm text-muted hover:text-ink print:hidden"
      >
        <ArrowLeft aria-hidden className="size-4" />
        Billing
      </Link>
      {payment.data !== undefined && payment.data !== null ? (
        <Receipt payment={payment.data} />
      ) : payment.isError ? (
        <LoadFailure
          title="The payment could not be loaded."
          error={payment.error}
          onRetry={() => void payment.refetch()}
        />
      ) : payment.data === null ? (
        <Card flush>
          <EmptyState title="Payment not found" />
        </Card>
      ) : (
        <CardSkeleton />
      )}
    </div>
  )
}

function Receipt({ payment }: { payment: Payment }) {
  const me = useQuery(meQuery)
  const account = useQuery(accountQuery)
  const isReceived = payment.status === 'received'
  const { label, tone } = PAYMENT_STATUS[payment.status]
  const { receipt_number: number, seller } = payment
  const facts = [
    ['Receipt no.', number === null ? '' : formatReceiptNumber(number)],
    ['Seller', seller === null ? '' : seller.name === '' ? 'Leadwire' : seller.name],
    ['Address', seller?.address ?? ''],
    ...listReceiptLines({
      ...payment,
      amount: formatMoney(payment.amount),
      asked_amount: payment.asked_amount === null ? null : formatMoney(payment.asked_amount),
      taken_back: payment.taken_back === '0.00' ? null : formatMoney(payment.taken_back),
      at: exactTime(payment.decided_at ?? payment.created_at),
      isReceived,
      payer_name: account.data?.business_name ?? me.data?.name ?? '',
      payer_email: me.data?.email ?? '',
      payment_id: payment.id,
    }),
  ].filter(([, value]) => value !== '')
  return (
    <>
      {payment.status === 'pending' && payment.failure === null && (
        <Banner tone="waiting" title="Not received yet">
          {payment.method === 'checkout' ? (
            'The payment provider has not confirmed it so far. This page follows it; you may also leave.'
          ) : (
            <HowToPay payment={payment} />
          )}
        </Banner>
      )}
      {payment.failure !== null && <Banner tone="failure">{payment.failure}</Banner>}
      <Card
        title={isReceived ? 'Receipt' : 'Payment'}
        actions={
          isReceived ? (
            <span className="flex flex-wrap gap-2 print:hidden">
              <ReceiptDownload path={apiPath('payments', payment.id, 'receipt')} number={number} />
              <Button
                size="sm"
                icon={<Printer aria-hidden className="size-4" />}
                onClick={() => window.print()}
              >
                Print
              </Button>
            </span>
          ) : (
            <Badge tone={tone}>{label}</Badge>
          )
        }
      >
        <p className="hidden text-lg font-semibold print:mb-4 print:block">Leadwire</p>
        <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[8rem_1fr]">
          {facts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="mb-1 min-w-0 break-words whitespace-pre-line tabular sm:mb-0">{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  )
}
