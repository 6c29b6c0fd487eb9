import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { Dashboard } from '#core/contract/market/dashboard.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { sayChange } from '#web/format/say-change.ts'
import { leadsPath } from '#web/paths.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { ColumnChart } from '#web/ui/show/ColumnChart.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { dashboardQuery } from '../market-queries.ts'

/** Shows when the leads of the last 24 hours came, and how many the last seven days brought. */
export function LeadsByHour() {
  const { data, isError } = useQuery(dashboardQuery)
  const hours = data?.leads.hours
  return (
    <Card title="Leads, last 24 hours" actions={data && <Week leads={data.leads} />}>
      {hours === undefined ? (
        // Has the height of the chart.
        <div className="flex h-45.5 items-center justify-center text-sm text-muted">
          {data !== undefined || isError ? 'Could not be loaded' : <Skeleton className="h-full w-full" />}
        </div>
      ) : (
        <Hours hours={hours} timeZone={data?.timezone} />
      )}
    </Card>
  )
}

const QUARTER_OF_DAY = 6

interface HoursProps {
  hours: NonNullable<Dashboard['leads']['hours']>
  timeZone: string | undefined
}

function Hours({ hours, timeZone }: HoursProps) {
  const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone })
  const when = (at: string) => clock.format(new Date(at)).replace(':00', '')
  const busy = hours.filter(({ leads }) => leads > 0)
  const words = busy.map(({ begins_at: at, leads }) => `${when(at)} ${leads}`).join(', ')
  return (
    <ColumnChart
      label={`Leads by hour: ${words === '' ? 'none' : words}`}
      columns={hours.map(({ begins_at: at, leads }, index) => ({
        key: at,
        title: `From ${when(at)}: ${countOf(leads, 'lead')}`,
        value: leads,
        tick: index === hours.length - 1 ? 'Now' : index % QUARTER_OF_DAY === 0 ? when(at) : undefined,
      }))}
    />
  )
}

/** Below this number of leads a percentage means little, so none is shown. */
const LEAST_COMPARED = 10

function Week({ leads: { days, last_7_days: now, previous_7_days: before } }: Pick<Dashboard, 'leads'>) {
  const from = days[0]?.begins_at
  const seesLeads = useMemberMay('leads') === true
  const week = `${formatCount(now)} in 7 days`
  const change = before < LEAST_COMPARED ? '' : `, ${sayChange(now, before).toLowerCase()}`
  return (
    <p className="text-xs text-muted tabular">
      {seesLeads ? (
        <Link
          to={leadsPath({ ...(from !== undefined && { from }), is_test: 'false' })}
          className="rounded-sm py-1 font-medium text-accent-strong hover:underline"
        >
          {week}
        </Link>
      ) : (
        week
      )}
      , {before === 0 ? 'none' : formatCount(before)} in the 7 days before{change}
    </p>
  )
}
