import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link } from 'react-router-dom'
import type { Analytics } from '#core/contract/market/analytics.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { lazyPart } from '#web/app/lazy-part.ts'
import { DownloadButton } from '#web/components/DownloadButton.tsx'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { nameZone } from '#web/format/name-zone.ts'
import { PATHS } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { analyticsQuery, analyticsFile } from './analytics-queries.ts'
import { AnalyticsFigures } from './AnalyticsFigures.tsx'
import { AnalyticsFilterBar } from './AnalyticsFilterBar.tsx'
import { AnalyticsSkeleton } from './AnalyticsSkeleton.tsx'
import { LeadsByDisposition } from './LeadsByDisposition.tsx'
import { LeadsByGroup } from './LeadsByGroup.tsx'
import { LeadsByDay, LeadsByHour } from './LeadsOverTime.tsx'
import { listBehind } from './list-behind.ts'
import { listGroups } from './list-groups.ts'
import { useAnalyticsView } from './use-analytics-view.ts'

const FigureMeanings = lazyPart(
  'FigureMeanings',
  async () => (await import('./FigureMeanings.tsx')).FigureMeanings,
)
const NoFigures = lazyPart('NoFigures', async () => (await import('./NoFigures.tsx')).NoFigures)

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** Shows the cost and the results of leads (docs/product.md §2, Analytics). */
export function AnalyticsPage() {
  const { view, change, isNarrowed } = useAnalyticsView()
  const figures = useQuery(analyticsQuery(view))
  const shown = figures.data
  const seesLeads = useMemberMay('leads') === true
  return (
    <div className="flex flex-col gap-6">
      <title>Analytics · Leadwire</title>
      <PageHeader
        title="Analytics"
        description={
          shown === undefined ? (
            // The height stays the same without content.
            <span className="flex h-6 items-center">
              {!figures.isError && <Skeleton className="h-3 w-52" />}
            </span>
          ) : (
            `${DAY.format(new Date(shown.from))} to ${DAY.format(new Date(shown.to))}, ${nameZone(shown.timezone)}`
          )
        }
        actions={
          <>
            <Link to={PATHS.enterpriseDashboard} className={buttonClass('secondary')}>
              Enterprise dashboard
            </Link>
            <DownloadButton
              path={analyticsFile(view)}
              name="analytics.csv"
              label="Export CSV"
              size="md"
              disabled={shown === undefined || shown.totals.leads === 0}
            />
          </>
        }
      />
      <AnalyticsFilterBar view={view} shown={shown} isNarrowed={isNarrowed} onChange={change} />
      {figures.isError ? (
        <LoadFailure
          title="The figures could not be loaded."
          error={figures.error}
          onRetry={() => void figures.refetch()}
        />
      ) : shown === undefined ? (
        <AnalyticsSkeleton />
      ) : shown.totals.leads === 0 ? (
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <NoFigures
            isNarrowed={isNarrowed}
            onClear={() => change({ order: '', state: '', lead_type: '', source: '' })}
          />
        </Suspense>
      ) : (
        <div aria-busy={figures.isPlaceholderData} className="flex flex-col gap-6">
          <div className="flex flex-col gap-2">
            <AnalyticsFigures totals={shown.totals} before={shown.before} />
            <div className="flex flex-wrap items-start justify-between gap-x-6">
              <Suspense fallback={<span className="h-6" />}>
                <FigureMeanings />
              </Suspense>
              <p className="py-1 text-xs text-muted">{describeBefore(shown)}</p>
            </div>
          </div>
          <LeadsByDay shown={shown} behind={listBehind(view, shown, seesLeads)} />
          <LeadsByHour hours={shown.hours} totals={shown.totals} />
          <LeadsByDisposition shown={shown} behind={listBehind(view, shown, seesLeads)} />
          {listGroups(shown, listBehind(view, shown, seesLeads)).map(({ group, rows }) => (
            <LeadsByGroup
              key={group}
              group={group}
              rows={rows}
              hasRevenue={Number(shown.totals.revenue) > 0}
            />
          ))}
        </div>
      )}
    </div>
  )
}

/** While the period is not over, both end at the same time of the day. */
function describeBefore({ before, ends_at: end }: Analytics) {
  if (before === undefined) return null
  const span = `Compared with ${DAY.format(new Date(before.from))} to ${DAY.format(new Date(before.to))}`
  return Date.parse(end) > Date.now() ? `${span}, until the same time of the day` : span
}
