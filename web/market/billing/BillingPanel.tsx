import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { Suspense } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { lazyPart } from '#web/app/lazy-part.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { settingsPath } from '#web/paths.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { accountQuery, useBalance } from '../money-queries.ts'
import { AddFunds } from './AddFunds.tsx'
import { AutoRechargeForm } from './AutoRechargeForm.tsx'
import { BalanceSummary } from './BalanceSummary.tsx'
import { Ledger } from './Ledger.tsx'
import { LowBalanceForm } from './LowBalanceForm.tsx'
import { PaymentList } from './PaymentList.tsx'
import { PaymentView } from './PaymentView.tsx'

const StatementView = lazyPart(
  'StatementView',
  async () => (await import('../statements/StatementView.tsx')).StatementView,
)

/** The client's money (docs/product.md §2). Each card loads and fails by itself. */
export function BillingPanel() {
  const [search] = useSearchParams()
  const { isNone } = useBalance()
  const payment = search.get('payment')
  if (isNone) {
    return (
      <Card title="Balance" className="max-w-2xl">
        <p className="text-sm text-muted">Administrators buy no leads, so they have no balance.</p>
      </Card>
    )
  }
  if (payment !== null) return <PaymentView id={payment} />
  const month = search.get('statement')
  if (month !== null) return <Statement month={month} />
  return (
    // The ledger is the longest card. It comes last on a phone, and below the balance on a wide screen.
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:grid-rows-[auto_1fr]">
      <BalanceSummary />
      <div className="flex min-w-0 flex-col gap-6 lg:row-span-2">
        <AddFunds />
        <PaymentList />
        <AccountForms />
      </div>
      <Ledger />
    </div>
  )
}

function Statement({ month }: { month: string }) {
  const [, setSearch] = useSearchParams()
  const show = (statement: string) => setSearch({ tab: 'billing', statement }, { replace: true })
  return (
    <div className="flex flex-col gap-4">
      <Link
        to={settingsPath('billing')}
        className="inline-flex items-center gap-1.5 self-start rounded-sm py-0.5 text-sm text-muted hover:text-ink print:hidden"
      >
        <ArrowLeft aria-hidden className="size-4" />
        Billing
      </Link>
      <Suspense fallback={<CardSkeleton />}>
        <StatementView client={null} month={month} onMonthChange={show} />
      </Suspense>
    </div>
  )
}

function AccountForms() {
  const account = useQuery(accountQuery)
  if (account.data !== undefined) {
    return (
      <>
        <AutoRechargeForm account={account.data} />
        <LowBalanceForm account={account.data} />
      </>
    )
  }
  if (!account.isError) return <CardSkeleton />
  return (
    <LoadFailure
      title="Your billing settings could not be loaded."
      error={account.error}
      onRetry={() => void account.refetch()}
    />
  )
}
