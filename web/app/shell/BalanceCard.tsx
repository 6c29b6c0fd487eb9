import { Link } from 'react-router-dom'
import { formatMoney } from '#web/format/money.ts'
import { settingsPath } from '#web/paths.ts'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'

export interface BalanceCardProps {
  balance: string | undefined
  onNavigate?: () => void
}

/** docs/product.md §2: links to the billing settings. */
export function BalanceCard({ balance, onNavigate }: BalanceCardProps) {
  return (
    <Link
      to={settingsPath('billing')}
      onClick={onNavigate}
      className="block rounded-lg border border-line px-3 py-2.5 transition-colors hover:bg-hover"
    >
      <p className="text-xs text-muted">Balance</p>
      {balance === undefined ? (
        <Skeleton className="mt-1 h-6 w-24" />
      ) : (
        <p className="text-lg font-semibold tracking-tight tabular">{formatMoney(balance)}</p>
      )}
    </Link>
  )
}
