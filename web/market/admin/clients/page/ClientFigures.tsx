import type { ReactNode } from 'react'
import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import { formatMoney } from '#web/format/money.ts'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { FundingBadge } from '../../../FundingBadge.tsx'

/** The figures of a client, on every tab of its page. */
export function ClientFigures({ client }: { client: AdminClientDetail }) {
  const { balance, orders, orders_active: active, webhooks_active: on } = client
  const { webhooks_failing: failing, last_lead_at: lastLead } = client
  return (
    <dl className="grid grid-cols-2 gap-px tight:grid-cols-1 overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-4">
      <Figure label="Balance" beside={<FundingBadge balance={client} />}>
        {formatMoney(balance)}
      </Figure>
      <Figure label="Active orders" beside={`of ${orders}`}>
        {active}
      </Figure>
      <Figure
        label="Webhooks on"
        beside={failing > 0 && <span className="text-failure">{failing} failing</span>}
      >
        {on}
      </Figure>
      <Figure label="Last lead">{lastLead === null ? '–' : <RelativeTime at={lastLead} />}</Figure>
    </dl>
  )
}

interface FigureProps {
  label: string
  beside?: ReactNode
  children: ReactNode
}

function Figure({ label, beside, children }: FigureProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1 bg-surface px-4 py-3 tight:px-2">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-xl font-semibold tabular max-sm:text-lg tight:text-base">
        {children}
        {beside !== undefined && beside !== false && (
          <span className="text-xs font-normal text-muted">{beside}</span>
        )}
      </dd>
    </div>
  )
}
