import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { meQuery } from '#web/api/me.ts'
import { OrdersLink } from '#web/components/OrdersLink.tsx'
import { nameZone } from '#web/format/name-zone.ts'
import { PATHS } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { Beneath } from '#web/ui/wait/Beneath.tsx'
import { CardsSkeleton } from '#web/ui/wait/PageSkeleton.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { endpointHealthQuery } from '#web/webhooks/queries/endpoint-health.ts'
import { FundingNotice } from '../FundingNotice.tsx'
import { dashboardQuery } from '../market-queries.ts'
import { useBalance } from '../money-queries.ts'
import { DeliveryFigure } from './DeliveryFigure.tsx'
import { FailingEndpoints } from './FailingEndpoints.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { LeadFigures } from './LeadFigures.tsx'
import { MoneyFigures } from './MoneyFigures.tsx'
import { NewestLeads } from './NewestLeads.tsx'
import { WhyNoLeads } from './WhyNoLeads.tsx'

/** Shows today's numbers (docs/product.md §2). Each panel loads and fails by itself. */
export function DashboardPage() {
  const { data, isError } = useQuery(dashboardQuery)
  // Administrators buy nothing, and their lists contain every client's leads.
  const role = useQuery(meQuery).data?.role
  const isNew = role === 'client' && data !== undefined && !data.setup.first_lead
  const { isNone, isPending } = useBalance()
  const health = useQuery(endpointHealthQuery)
  // A client without orders sees the first steps in place of the conditions for leads.
  const buys = data?.setup.order === true
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
            {role === 'admin' && (
              <Link to={PATHS.admin} className={buttonClass('secondary')}>
                Administration
              </Link>
            )}
          </>
        }
      />
      <Beneath isReady={(isNone || !isPending) && !health.isLoading} fallback={<CardsSkeleton />}>
        <FailingEndpoints />
        <FundingNotice />
        {isNew ? (
          <FirstSteps setup={data.setup} />
        ) : (
          <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,max(18rem,(100%_-_2.1rem)/3)),1fr))] gap-4">
            {role !== 'admin' && <LeadFigures />}
            <DeliveryFigure />
            <MoneyFigures />
          </div>
        )}
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,26rem),1fr))] items-start gap-6">
          {!isNew && <NewestLeads />}
          {buys && <WhyNoLeads />}
        </div>
      </Beneath>
    </div>
  )
}

/** Describes the day that counts as today: "Monday, November 23, Eastern Time". */
function describeToday(timeZone: string) {
  const day = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long', month: 'long', day: 'numeric' })
  return `${day.format(new Date())}, ${nameZone(timeZone)}`
}
