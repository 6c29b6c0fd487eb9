import { formatMoney } from '#web/format/money.ts'
import { settingsPath } from '#web/paths.ts'
import { FundingBadge } from '../FundingBadge.tsx'
import { describeDaysLeft } from '../funding-words.ts'
import { useBalance } from '../money-queries.ts'
import { Figure } from './Figure.tsx'

/** Shows spending and balance; both link to the ledger in the billing settings. */
export function MoneyFigures() {
  const balance = useBalance()
  const { data } = balance
  const to = settingsPath('billing')
  const onRetry = balance.isError ? () => void balance.refetch() : undefined
  if (balance.isNone) return null
  return (
    <>
      <Figure
        label="Spent today"
        value={data && formatMoney(data.spent_today)}
        to={to}
        note="Paid when a lead is assigned to you"
        onRetry={onRetry}
      />
      <Figure
        label="Spent this month"
        value={data && formatMoney(data.spent_this_month)}
        to={to}
        note="Returns are not taken off"
        onRetry={onRetry}
      />
      <Figure
        label="Balance"
        value={data && formatMoney(data.balance)}
        to={to}
        note={data && describeDaysLeft(data)}
        aside={data && <FundingBadge balance={data} />}
        onRetry={onRetry}
      />
    </>
  )
}
