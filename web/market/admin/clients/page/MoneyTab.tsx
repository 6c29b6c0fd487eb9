import { useInfiniteQuery } from '@tanstack/react-query'
import { CreditCard, Wallet } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import { DisputeBadge } from '#web/components/DisputeBadge.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { formatMoney, formatMovement } from '#web/format/money.ts'
import { adminPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { clientLedgerQuery, clientPaymentsQuery } from '../../../admin-client-queries.ts'
import { EntryLine } from '../../money/EntryLine.tsx'
import { describePayment } from '#core/domain/market/payments/receipt-words.ts'
import { PAYMENT_STATUS } from '../../../billing/payment-words.ts'

/** The client's ledger and payments. */
export function MoneyTab({ client: { user_id: id } }: { client: AdminClientDetail }) {
  return (
    <div className="flex flex-col gap-6">
      <Ledger id={id} />
      <Payments id={id} />
    </div>
  )
}

function Ledger({ id }: { id: string }) {
  const entries = useInfiniteQuery(clientLedgerQuery(id))
  return (
    <PagedCard
      title="Ledger"
      failure="The ledger could not be loaded."
      query={entries}
      actions={
        <Link
          to={`${adminPath('money', 'balances')}&${new URLSearchParams({ client: id })}`}
          className={buttonClass('quiet', 'sm')}
        >
          Monthly statements
        </Link>
      }
      empty={
        <EmptyState icon={<Wallet aria-hidden />} title="No money has moved yet">
          Every movement of the balance appears here.
        </EmptyState>
      }
    >
      {(items) => (
        <Listing
          label="Ledger"
          items={items}
          keyOf={(entry) => entry.id}
          columns={[
            { header: 'What', render: (entry) => <EntryLine entry={entry} /> },
            {
              header: 'Amount',
              part: 'how',
              numeric: true,
              render: ({ amount }) => (
                <span className={amount.startsWith('-') ? '' : 'text-success'}>{formatMovement(amount)}</span>
              ),
            },
            { header: 'Balance', numeric: true, render: (entry) => formatMoney(entry.balance_after) },
            { header: 'When', part: 'when', render: ({ created_at: at }) => <RelativeTime at={at} /> },
          ]}
        />
      )}
    </PagedCard>
  )
}

function Payments({ id }: { id: string }) {
  const payments = useInfiniteQuery(clientPaymentsQuery(id))
  return (
    <PagedCard
      title="Payments"
      failure="The payments could not be loaded."
      query={payments}
      empty={
        <EmptyState icon={<CreditCard aria-hidden />} title="No payments yet">
          A client who asks to add funds appears here.
        </EmptyState>
      }
    >
      {(items) => (
        <Listing
          label="Payments"
          items={items}
          keyOf={(payment) => payment.id}
          columns={[
            { header: 'Amount', render: ({ amount }) => formatMoney(amount) },
            {
              header: 'Status',
              part: 'how',
              render: ({ status, dispute, failure, note }) => (
                <span className="block max-w-72">
                  <span className="flex flex-wrap gap-1.5">
                    <Badge tone={PAYMENT_STATUS[status].tone}>{PAYMENT_STATUS[status].label}</Badge>
                    <DisputeBadge dispute={dispute} />
                  </span>
                  {(failure ?? note) !== null && (
                    <span className="block text-xs break-words text-muted">{failure ?? note}</span>
                  )}
                </span>
              ),
            },
            { header: 'Way', part: 'brief', render: (payment) => describePayment(payment) },
            { header: 'Asked', part: 'when', render: ({ created_at: at }) => <RelativeTime at={at} /> },
          ]}
        />
      )}
    </PagedCard>
  )
}
