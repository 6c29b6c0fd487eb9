import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link } from 'react-router-dom'
import { meQuery } from '#web/api/me.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { OrdersLink } from '#web/components/OrdersLink.tsx'
import { nameZone } from '#web/format/name-zone.ts'
import { lazyPart } from '#web/app/lazy-part.ts'
import { PATHS } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { Beneath } from '#web/ui/wait/Beneath.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { FundingNotice } from '../FundingNotice.tsx'
import { dashboardQuery } from '../market-queries.ts'
import { DashboardSkeleton } from './DashboardSkeleton.tsx'
import { FailingEndpoints } from './FailingEndpoints.tsx'
import { FigureRow } from './FigureRow.tsx'
import { NewestLeads } from './NewestLeads.tsx'
import { hasStepsLeft } from './say-state.ts'
import { StateLine } from './StateLine.tsx'
import { useStateNow } from './use-state-now.ts'

const FirstSteps = lazyPart('FirstSteps', async () => (await import('./FirstSteps.tsx')).FirstSteps)
const LeadsByHour = lazyPart('LeadsByHour', async () => (await import('./LeadsByHour.tsx')).LeadsByHour)
const WhyNoLeads = lazyPart('WhyNoLeads', async () => (await import('./WhyNoLeads.tsx')).WhyNoLeads)

/** Shows what is true now, and today's numbers (docs/product.md §2). Each panel loads and fails by itself. */
export function DashboardPage() {
  const { data, isError } = useQuery(dashboardQuery)
  // Administrators buy nothing, and their lists contain every client's leads.
  const role = useQuery(meQuery).data?.role
  const isAdmin = role === 'admin'
  // Only owners do the steps.
  const isOwner = useMemberMay('account') === true
  const [seesLeads, seesWebhooks] = [useMemberMay('leads') === true, useMemberMay('webhooks') === true]
  const isNew = role === 'client' && isOwner && data !== undefined && hasStepsLeft(data.setup)
  const { isReady, state, newest, hasObstacles } = useStateNow()
  return (
    <div className="flex flex-col gap-6">
      <title>Dashboard · Leadwire</title>
      <PageHeader
        title="Dashboard"
        description={
          // Has the height of the text that replaces it, so that nothing below moves.
          data === undefined ? (
            <span className="flex h-6 items-center">{!isError && <Skeleton className="h-3 w-52" />}</span>
          ) : (
            describeToday(data.timezone)
          )
        }
        actions={
          <>
            <OrdersLink />
            {isAdmin && (
              <Link to={PATHS.admin} className={buttonClass('secondary')}>
                Administration
              </Link>
            )}
          </>
        }
      />
      <Beneath isReady={isReady} fallback={<DashboardSkeleton />}>
        <div className="flex flex-col gap-3 empty:hidden">
          {!isAdmin && state !== null && <StateLine state={state} newest={newest} />}
          {seesWebhooks && <FailingEndpoints />}
          <FundingNotice />
        </div>
        {isNew ? (
          <Suspense fallback={<CardSkeleton />}>
            <FirstSteps setup={data.setup} />
          </Suspense>
        ) : (
          <>
            {!isAdmin && (
              <>
                <Suspense fallback={<Skeleton className="h-66 w-full" />}>
                  <LeadsByHour />
                </Suspense>
                <FigureRow />
              </>
            )}
            <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,26rem),1fr))] items-start gap-6">
              {hasObstacles && (
                <Suspense fallback={<CardSkeleton />}>
                  <WhyNoLeads />
                </Suspense>
              )}
              {seesLeads && <NewestLeads />}
            </div>
          </>
        )}
      </Beneath>
    </div>
  )
}

/** Describes the day that counts as today: "Monday, November 23, Eastern Time". */
function describeToday(timeZone: string) {
  const day = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long', month: 'long', day: 'numeric' })
  return `${day.format(new Date())}, ${nameZone(timeZone)}`
}
