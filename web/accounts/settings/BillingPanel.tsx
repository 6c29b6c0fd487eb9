import { useQuery } from '@tanstack/react-query'
import { meQuery } from '#web/api/me.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { formatMoney } from '#web/format/money.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'

export function BillingPanel() {
  const me = useQuery(meQuery)
  if (me.isError && me.data === undefined) {
    return (
      <LoadFailure
        title="Your balance could not be loaded."
        error={me.error}
        onRetry={() => void me.refetch()}
      />
    )
  }
  return (
    <Card title="Balance" className="max-w-2xl">
      {me.data === undefined ? (
        <Skeleton className="h-9 w-40" />
      ) : (
        <p className="text-xl font-semibold tracking-tight tabular">{formatMoney(me.data.balance)}</p>
      )}
      <p className="mt-1 text-sm text-muted">Prepaid. What your leads cost is taken from it.</p>
    </Card>
  )
}
