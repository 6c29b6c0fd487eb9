import { useQuery } from '@tanstack/react-query'
import { SOURCE_DAYS } from '#core/contract/operations/overview.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { RefreshFailure } from '#web/components/admin/RefreshFailure.tsx'
import { nameZone } from '#web/format/name-zone.ts'
import { countOf } from '#web/format/count-of.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { NeedsPanel } from '../needs/NeedsPanel.tsx'
import { FigureStrip } from './FigureStrip.tsx'
import { FillTable } from './FillTable.tsx'
import { HealthPanel } from './HealthPanel.tsx'
import { ProxyWarning } from './ProxyWarning.tsx'
import { overviewQuery } from './overview-queries.ts'
import { SourceTable } from './SourceTable.tsx'

/** Shows what the business did today, what needs an administrator, and whether everything runs. */
export function OverviewPage() {
  const overview = useQuery(overviewQuery)
  const shown = overview.data
  return (
    <div className="flex flex-col gap-6">
      {overview.isError && shown !== undefined && (
        <RefreshFailure isBusy={overview.isFetching} onRetry={() => void overview.refetch()} />
      )}
      {shown !== undefined && <ProxyWarning proxies={shown.health.unknown_proxies} />}
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <section aria-label="Today" className="flex min-w-0 flex-col gap-2">
          {shown === undefined ? (
            overview.isError ? (
              <LoadFailure
                title="The figures could not be loaded."
                error={overview.error}
                onRetry={() => void overview.refetch()}
              />
            ) : (
              <CardSkeleton />
            )
          ) : (
            <>
              <p className="text-sm text-muted">
                Today until now, {nameZone(shown.timezone)}, beside the same hours of yesterday. Bars are the
                last 24 hours.
              </p>
              {shown.unsummed_hours > 0 && (
                <Banner tone="waiting">
                  Older hours are still being summed: {countOf(shown.unsummed_hours, 'hour')} of the last{' '}
                  {SOURCE_DAYS} days are not in these figures yet.
                </Banner>
              )}
              <FigureStrip shown={shown} />
            </>
          )}
        </section>
        <NeedsPanel />
      </div>
      {shown !== undefined && (
        <>
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,30rem),1fr))] items-start gap-6">
            <FillTable rows={shown.fill} />
            <SourceTable rows={shown.sources} />
          </div>
          <HealthPanel health={shown.health} />
        </>
      )}
    </div>
  )
}
