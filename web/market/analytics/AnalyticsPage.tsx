import { useMutation, useQuery } from '@tanstack/react-query'
import { ChartColumn, Download } from 'lucide-react'
import { Link } from 'react-router-dom'
import { errorSentence } from '#web/api/errors.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { saveFile } from '#web/components/save-file.ts'
import { nameZone } from '#web/format/name-zone.ts'
import { PATHS } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { toast } from '#web/ui/overlay/toast.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { analyticsQuery, readAnalyticsFile } from './analytics-queries.ts'
import { AnalyticsFigures } from './AnalyticsFigures.tsx'
import { AnalyticsFilterBar } from './AnalyticsFilterBar.tsx'
import { AnalyticsSkeleton } from './AnalyticsSkeleton.tsx'
import { LeadsByDisposition } from './LeadsByDisposition.tsx'
import { LeadsByState } from './LeadsByState.tsx'
import { LeadsByDay, LeadsByHour } from './LeadsOverTime.tsx'
import { listBehind } from './list-behind.ts'
import { useAnalyticsView } from './use-analytics-view.ts'

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** Shows the cost and the results of leads (docs/product.md §2, Analytics). */
export function AnalyticsPage() {
  const { view, change, isNarrowed } = useAnalyticsView()
  const figures = useQuery(analyticsQuery(view))
  const shown = figures.data
  const take = useMutation({
    mutationFn: () => readAnalyticsFile(view),
    onSuccess: (text) => saveFile('analytics.csv', text),
    onError: (error) => toast.error(errorSentence(error)),
  })
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
            <Button
              icon={<Download aria-hidden className="size-4" />}
              busy={take.isPending}
              disabled={shown === undefined || shown.totals.leads === 0}
              onClick={() => take.mutate()}
            >
              Export CSV
            </Button>
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
        <Card flush>
          <EmptyState
            icon={<ChartColumn aria-hidden />}
            title="No leads in this period"
            action={
              isNarrowed && (
                <Button onClick={() => change({ order: '', state: '', lead_type: '', source: '' })}>
                  Clear filters
                </Button>
              )
            }
          >
            {isNarrowed
              ? 'None fits these filters.'
              : 'Choose a longer one, or look at why no leads come on your dashboard.'}
          </EmptyState>
        </Card>
      ) : (
        <div aria-busy={figures.isPlaceholderData} className="flex flex-col gap-6">
          <AnalyticsFigures totals={shown.totals} />
          <LeadsByDay shown={shown} behind={listBehind(view, shown)} />
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,26rem),1fr))] gap-6">
            <LeadsByDisposition shown={shown} behind={listBehind(view, shown)} />
            <LeadsByHour hours={shown.hours} totals={shown.totals} />
          </div>
          <LeadsByState states={shown.states} behind={listBehind(view, shown)} />
        </div>
      )}
    </div>
  )
}
