import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { nameZone } from '#web/format/name-zone.ts'
import { PATHS } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { FundingNotice } from '../FundingNotice.tsx'
import { dashboardQuery } from '../market-queries.ts'
import { DeliveryFigure } from './DeliveryFigure.tsx'
import { FailingEndpoints } from './FailingEndpoints.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { LeadFigures } from './LeadFigures.tsx'
import { MoneyFigures } from './MoneyFigures.tsx'
import { NewestLeads } from './NewestLeads.tsx'
import { WhyNoLeads } from './WhyNoLeads.tsx'

/** Today at a glance (docs/product.md §2). Each panel asks for itself, and fails alone. */
export function DashboardPage() {
  const { data } = useQuery(dashboardQuery)
  const isNew = data !== undefined && !data.setup.first_lead
  // Who has no order has another list first, and administrators buy nothing.
  const buys = data?.setup.order === true
  return (
    <div className="flex flex-col gap-6">
      <title>Dashboard · Leadwire</title>
      <PageHeader
        title="Dashboard"
        description={
          data === undefined ? <Skeleton className="my-1.5 h-3 w-52" /> : describeToday(data.timezone)
        }
        actions={
          buys && (
            <Link to={PATHS.orders} className={buttonClass('secondary')}>
              Orders
            </Link>
          )
        }
      />
      <FailingEndpoints />
      <FundingNotice />
      {isNew ? (
        <FirstSteps setup={data.setup} />
      ) : (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20.75rem),1fr))] gap-4">
          <LeadFigures />
          <DeliveryFigure />
          <MoneyFigures />
        </div>
      )}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,26rem),1fr))] items-start gap-6">
        <NewestLeads />
        {buys && <WhyNoLeads />}
      </div>
    </div>
  )
}

/** "Monday, November 23, Eastern Time": the day that the numbers mean by today. */
function describeToday(timeZone: string) {
  const day = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long', month: 'long', day: 'numeric' })
  return `${day.format(new Date())}, ${nameZone(timeZone)}`
}
