import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { formatMoney } from '#web/format/money.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'
import { FundingBadge } from '../FundingBadge.tsx'
import { describeDaysLeft } from '../funding-words.ts'
import { useBalance } from '../money-queries.ts'

export function BalanceSummary() {
  const balance = useBalance()
  if (balance.isError && balance.data === undefined) {
    return (
      <LoadFailure
        title="Your balance could not be loaded."
        error={balance.error}
        onRetry={() => void balance.refetch()}
      />
    )
  }
  const { data } = balance
  return (
    <Card title="Balance" actions={data && <FundingBadge balance={data} />}>
      {data === undefined ? (
        <Waiting label="Loading the balance">
          <Skeleton className="h-9 w-40" />
          <Skeleton className="mt-2 h-3 w-56" />
        </Waiting>
      ) : (
        <>
          <p className="text-xl font-semibold tracking-tight break-words tabular">
            {formatMoney(data.balance)}
          </p>
          <p className="mt-1 text-sm text-muted">
            {data.balance.startsWith('-')
              ? 'A payment was refunded or reversed. The funds that you add next cover this first.'
              : describeDaysLeft(data)}
          </p>
        </>
      )}
      <dl className="mt-4 grid grid-cols-2 gap-4 border-t border-line pt-3">
        <Spent label="Spent today" amount={data?.spent_today} />
        <Spent label="Spent this month" amount={data?.spent_this_month} />
      </dl>
      <p className="mt-3 text-xs text-muted">
        Prepaid. A lead is paid for when it is assigned to you, whether or not its delivery succeeds at once.
      </p>
    </Card>
  )
}

function Spent({ label, amount }: { label: string; amount: string | undefined }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="text-sm font-medium break-words tabular">
        {amount === undefined ? <Skeleton className="mt-1 h-4 w-16" /> : formatMoney(amount)}
      </dd>
    </div>
  )
}
