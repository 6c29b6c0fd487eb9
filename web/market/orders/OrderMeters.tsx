import type { Order } from '#core/contract/market/order.ts'
import { formatCount } from '#web/format/count-of.ts'
import { formatMoney } from '#web/format/money.ts'
import { Meter } from '#web/ui/show/Meter.tsx'

/** Shows what an order has received against its caps; without a cap only the number. */
export function OrderMeters({ order }: { order: Order }) {
  const { today, week, month, total } = order.tallies
  return (
    <div className="grid grid-cols-2 gap-x-6 gap-y-3 tight:grid-cols-1 lg:grid-cols-4">
      <CountMeter label="Today" leads={today.leads} cap={order.daily_cap} />
      <CountMeter label="This week" leads={week.leads} cap={order.weekly_cap} />
      <CountMeter label="This month" leads={month.leads} cap={order.monthly_cap} />
      <CountMeter label="In all" leads={total.leads} cap={order.total_cap} />
      <BudgetMeter label="Spent today" spent={today.spent} budget={order.daily_budget} />
      <BudgetMeter label="Spent this month" spent={month.spent} budget={order.monthly_budget} />
    </div>
  )
}

export function CountMeter({ label, leads, cap }: { label: string; leads: number; cap: number | null }) {
  if (cap === null) return <Plain label={label} text={formatCount(leads)} />
  const text = `${formatCount(leads)} of ${formatCount(cap)}`
  return <Meter label={label} text={text} value={leads} max={cap} tone={leads >= cap ? 'waiting' : 'info'} />
}

function BudgetMeter({ label, spent, budget }: { label: string; spent: string; budget: string | null }) {
  if (budget === null) return null
  const text = `${formatMoney(spent)} of ${formatMoney(budget)}`
  // The float sets only the bar's length; the texts use the exact amounts.
  return (
    <div className="col-span-2 tight:col-span-1 sm:col-span-1">
      <Meter label={label} text={text} value={Number(spent)} max={Number(budget)} />
    </div>
  )
}

function Plain({ label, text }: { label: string; text: string }) {
  return (
    <div className="flex items-baseline justify-between gap-2 text-xs">
      <span className="text-muted">{label}</span>
      <span className="font-medium tabular">{text}</span>
    </div>
  )
}
