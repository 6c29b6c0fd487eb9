import clsx from 'clsx'
import { Link } from 'react-router-dom'
import type { Balance } from '#core/contract/market/money/ledger.ts'
import { formatMoney } from '#web/format/money.ts'
import { labelFunding } from '#web/market/funding-words.ts'
import { settingsPath } from '#web/paths.ts'
import type { Tone } from '#web/ui/show/tone.ts'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'

export interface BalanceCardProps {
  balance: string | undefined
  /** undefined if it is unknown or does not matter */
  funds: Pick<Balance, 'funding' | 'begun'> | undefined
  onNavigate?: () => void
}

type Looks = Partial<Record<Tone, string>>
const TINTS: Looks = {
  waiting: 'border-transparent bg-waiting-soft',
  failure: 'border-transparent bg-failure-soft',
}
const WORDS: Looks = { neutral: 'text-accent-strong', waiting: 'text-waiting', failure: 'text-failure' }

/**
 * Links to the billing settings (docs/product.md §2). If the balance is low or pays for nothing, the card
 * says so with a tint.
 */
export function BalanceCard({ balance, funds, onNavigate }: BalanceCardProps) {
  const { label, tone } = labelFunding(funds ?? { funding: 'available', begun: true })
  return (
    <Link
      to={settingsPath('billing')}
      onClick={onNavigate}
      className={clsx(
        'block rounded-lg border px-3 py-2.5 transition-colors',
        TINTS[tone] ?? 'border-line hover:bg-hover',
      )}
    >
      <span className="flex flex-wrap items-baseline justify-between gap-x-2 text-xs">
        <span className="text-muted">Balance</span>
        {WORDS[tone] !== undefined && <span className={clsx('font-medium', WORDS[tone])}>{label}</span>}
      </span>
      {balance === undefined ? (
        <Skeleton className="mt-1 h-6 w-24" />
      ) : (
        <span className="block text-lg font-semibold tracking-tight break-words tabular">
          {formatMoney(balance)}
        </span>
      )}
    </Link>
  )
}
