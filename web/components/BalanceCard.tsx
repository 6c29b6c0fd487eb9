import { formatMoney } from '../format/money.ts'
import { Skeleton } from '../ui/Skeleton.tsx'

export function BalanceCard({ balance }: { balance: string | undefined }) {
  return (
    <div className="rounded-lg border border-line px-3 py-2.5">
      <p className="text-xs text-muted">Balance</p>
      {balance === undefined ? (
        <Skeleton className="mt-1 h-6 w-24" />
      ) : (
        <p className="text-lg font-semibold tracking-tight tabular">{formatMoney(balance)}</p>
      )}
    </div>
  )
}
