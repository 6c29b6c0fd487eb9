import { useQuery } from '@tanstack/react-query'
import { addDays, rateDeliveries, readDay, type DeliveryDay } from '#core/domain/webhooks/rate-deliveries.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { describeDelivered } from '#web/components/describe-delivered.ts'
import { formatCount } from '#web/format/count-of.ts'
import { formatRate } from '#web/format/format-rate.ts'
import { formatMoney } from '#web/format/money.ts'
import { leadsPath, PATHS, settingsPath, webhooksPath } from '#web/paths.ts'
import { endpointHealthQuery } from '#web/webhooks/queries/endpoint-health.ts'
import { FIGURES_GRID } from '../figures-grid.ts'
import { FundingBadge } from '../FundingBadge.tsx'
import { describeDaysLeft } from '../funding-words.ts'
import { dashboardQuery } from '../market-queries.ts'
import { useBalance } from '../money-queries.ts'
import { Figure } from './Figure.tsx'

/** Shows four numbers, or those that a person's role in the account includes; each links to its list. */
export function FigureRow() {
  const seesWebhooks = useMemberMay('webhooks') === true
  return (
    <div className={FIGURES_GRID}>
      <LeadFigure />
      {seesWebhooks && <DeliveryFigure />}
      <MoneyFigures />
    </div>
  )
}

function LeadFigure() {
  const dashboard = useQuery(dashboardQuery)
  const seesLeads = useMemberMay('leads') === true
  const leads = dashboard.data?.leads
  const from = leads?.days.at(-1)?.begins_at
  const yesterday = leads?.days.at(-2)?.leads ?? 0
  return (
    <Figure
      label="Leads today"
      value={leads && formatCount(leads.today)}
      to={!seesLeads ? undefined : from === undefined ? PATHS.leads : leadsPath({ from, is_test: 'false' })}
      note={leads && (yesterday === 0 ? 'None yesterday' : `${formatCount(yesterday)} yesterday`)}
      onRetry={dashboard.isError ? () => void dashboard.refetch() : undefined}
    />
  )
}

/**
 * Shows the delivered share of the deliveries that ended in the last 24 hours or still wait, for all webhooks
 * together; each webhook's log has its own.
 */
function DeliveryFigure() {
  const health = useQuery(endpointHealthQuery)
  const [only, ...others] = health.data ?? []
  const day = health.data && addDays(health.data.map(readDay))
  return (
    <Figure
      label="Delivery success, 24 hours"
      value={day && formatRate(rateDeliveries(day))}
      to={webhooksPath(others.length === 0 ? only?.webhook_config_id : undefined)}
      note={day && describeDay(day, health.data?.length ?? 0)}
      onRetry={health.isError ? () => void health.refetch() : undefined}
    />
  )
}

function describeDay(day: DeliveryDay, webhooks: number) {
  if (webhooks === 0) return 'No webhook yet'
  return describeDelivered(day) ?? 'No deliveries in the last 24 hours'
}

/** Both link to the ledger in the billing settings. */
function MoneyFigures() {
  const balance = useBalance()
  const { data } = balance
  const to = settingsPath('billing')
  const onRetry = balance.isError ? () => void balance.refetch() : undefined
  // A person whose role in the account does not include money.
  if (balance.isNone) return null
  return (
    <>
      <Figure
        label="Spent today"
        value={data && formatMoney(data.spent_today)}
        to={to}
        note={data && `${formatMoney(data.spent_this_month)} this month, before returns`}
        onRetry={onRetry}
      />
      <Figure
        label="Balance"
        value={data && formatMoney(data.balance)}
        to={to}
        note={data && describeDaysLeft(data)}
        aside={data && data.funding !== 'available' && <FundingBadge balance={data} />}
        onRetry={onRetry}
      />
    </>
  )
}
