import { useQuery } from '@tanstack/react-query'
import { REVENUE_GROUPS, type Revenue } from '#core/contract/market/money/market-money.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { Listing } from '#web/components/admin/Listing.tsx'
import { DownloadButton } from '#web/components/DownloadButton.tsx'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { formatMoney } from '#web/format/money.ts'
import { nameZone } from '#web/format/name-zone.ts'
import { words } from '#web/format/words.ts'
import { useUrlFilters } from '#web/hooks/use-url-filters.ts'
import { Select } from '#web/ui/form/Select.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { revenueQuery, type RevenueView } from '../../admin-money-queries.ts'
import { Days } from './Days.tsx'
import { MoneyFigures } from './MoneyFigures.tsx'

const NAMES = ['by', 'from', 'to'] as const
const GROUPS = REVENUE_GROUPS.map((value) => ({
  value: value as string,
  label: `By ${words(value).toLowerCase()}`,
}))
const DAYS = 30
const DAY_MS = 86_400_000

/** Sales less credits for returned leads, by day, type, state, client or source. */
export function RevenuePanel() {
  const { values: asked, change } = useUrlFilters(NAMES)
  const view: RevenueView = {
    by: asked.by === '' ? 'day' : asked.by,
    from: asked.from === '' ? dateBefore(DAYS - 1) : asked.from,
    to: asked.to === '' ? dateBefore(0) : asked.to,
  }
  const revenue = useQuery(revenueQuery(view))
  const name = `revenue-by-${view.by}.csv`
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap gap-2">
        <Select
          aria-label="Grouping"
          value={view.by}
          onValueChange={(by) => change({ by })}
          options={GROUPS}
          className="w-auto! min-w-[min(11rem,100%)]"
        />
        <Days from={view.from} to={view.to} onChange={change} />
      </div>
      {revenue.data === undefined ? (
        revenue.isError ? (
          <LoadFailure
            title="The revenue could not be loaded."
            error={revenue.error}
            onRetry={() => void revenue.refetch()}
          />
        ) : (
          <CardSkeleton />
        )
      ) : (
        <div aria-busy={revenue.isPlaceholderData} className="flex flex-col gap-6">
          <Totals revenue={revenue.data} />
          <Card
            title="Revenue"
            flush
            actions={
              <DownloadButton path={withQuery(apiPath('admin', 'money', 'revenue.csv'), view)} name={name} />
            }
          >
            <Rows revenue={revenue.data} />
          </Card>
        </div>
      )}
    </div>
  )
}

/** Days are the administration's; around midnight the browser's last day may be another one. */
function dateBefore(days: number) {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
}

function Totals({ revenue: { totals, timezone } }: { revenue: Revenue }) {
  const { sold, sales, returned, credits } = totals
  return (
    <MoneyFigures
      figures={[
        { label: 'Revenue', value: formatMoney(totals.revenue), detail: `Days in ${nameZone(timezone)}` },
        { label: 'Sales', value: formatMoney(sales), detail: `${countOf(sold, 'lead')} sold` },
        { label: 'Credits', value: formatMoney(credits), detail: `${countOf(returned, 'lead')} returned` },
      ]}
    />
  )
}

function Rows({ revenue: { data, by } }: { revenue: Revenue }) {
  if (data.length === 0) return <EmptyState title="Nothing was sold in these days" />
  return (
    <Listing
      label="Revenue"
      items={data}
      keyOf={({ key }) => key ?? ''}
      columns={[
        { header: words(by), render: ({ label }) => label },
        { header: 'Sold', numeric: true, render: ({ sold }) => formatCount(sold) },
        { header: 'Sales', numeric: true, render: ({ sales }) => formatMoney(sales) },
        { header: 'Returned', numeric: true, render: ({ returned }) => formatCount(returned) },
        { header: 'Credits', numeric: true, render: ({ credits }) => formatMoney(credits) },
        { header: 'Revenue', part: 'brief', numeric: true, render: (row) => formatMoney(row.revenue) },
      ]}
    />
  )
}
