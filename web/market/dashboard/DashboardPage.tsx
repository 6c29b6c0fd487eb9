import { useQuery } from '@tanstack/react-query'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { dashboardQuery } from '../market-queries.ts'
import { DeliveryFigure } from './DeliveryFigure.tsx'
import { FailingEndpoints } from './FailingEndpoints.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { LeadFigures } from './LeadFigures.tsx'
import { NewestLeads } from './NewestLeads.tsx'

/** Today at a glance (docs/product.md §2). Each panel asks for itself, and fails alone. */
export function DashboardPage() {
  const { data } = useQuery(dashboardQuery)
  const isNew = data !== undefined && !data.setup.first_lead
  return (
    <div className="flex flex-col gap-6">
      <title>Dashboard · Leadwire</title>
      <PageHeader
        title="Dashboard"
        description={
          data === undefined ? <Skeleton className="my-1.5 h-3 w-52" /> : describeToday(data.timezone)
        }
      />
      <FailingEndpoints />
      {isNew ? (
        <FirstSteps setup={data.setup} />
      ) : (
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          <LeadFigures />
          <DeliveryFigure />
        </div>
      )}
      <NewestLeads />
    </div>
  )
}

/** "Monday, November 23, Eastern Time": the day that the numbers mean by today. */
function describeToday(timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options })
  const day = format({ weekday: 'long', month: 'long', day: 'numeric' }).format(new Date())
  const zone = format({ timeZoneName: 'longGeneric' })
    .formatToParts(new Date())
    .find(({ type }) => type === 'timeZoneName')?.value
  return `${day}, ${zone ?? timeZone}`
}
