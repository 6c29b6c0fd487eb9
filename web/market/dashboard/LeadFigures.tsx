import { useQuery } from '@tanstack/react-query'
import type { Dashboard } from '#core/contract/market/dashboard.ts'
import { formatCount } from '#web/format/count-of.ts'
import { leadsPath, PATHS } from '#web/paths.ts'
import { dashboardQuery } from '../market-queries.ts'
import { DayBars } from './DayBars.tsx'
import { Figure } from './Figure.tsx'

/** Shows how many leads came in; each number links to its list. */
export function LeadFigures() {
  const dashboard = useQuery(dashboardQuery)
  const leads = dashboard.data?.leads
  const onRetry = dashboard.isError ? () => void dashboard.refetch() : undefined
  const since = (day: number) => {
    const from = leads?.days.at(day)?.begins_at
    return from === undefined ? PATHS.leads : leadsPath({ from, is_test: 'false' })
  }
  return (
    <>
      <Figure
        label="Leads today"
        value={leads && formatCount(leads.today)}
        to={since(-1)}
        note={leads && describeYesterday(leads.days.at(-2)?.leads ?? 0)}
        onRetry={onRetry}
      />
      <Figure
        label="Leads in 7 days"
        value={leads && formatCount(leads.last_7_days)}
        to={since(0)}
        note={leads && describeChange(leads)}
        aside={leads && <DayBars days={leads.days} />}
        onRetry={onRetry}
      />
    </>
  )
}

function describeYesterday(leads: number) {
  return leads === 0 ? 'None yesterday' : `${formatCount(leads)} yesterday`
}

/** Below this number of leads a percentage means little, so none is shown. */
const LEAST_COMPARED = 10

function describeChange({ last_7_days: now, previous_7_days: before }: Dashboard['leads']) {
  const words = before === 0 ? 'None in the 7 days before' : `${formatCount(before)} in the 7 days before`
  const change = before < LEAST_COMPARED ? 0 : Math.round(((now - before) / before) * 100)
  return change === 0 ? words : `${words}, ${change > 0 ? 'up' : 'down'} ${formatCount(Math.abs(change))}%`
}
