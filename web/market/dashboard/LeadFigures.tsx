import { useQuery } from '@tanstack/react-query'
import type { Dashboard } from '#core/contract/market/dashboard.ts'
import { formatCount } from '#web/format/count-of.ts'
import { leadsPath, PATHS } from '#web/paths.ts'
import { dashboardQuery } from '../market-queries.ts'
import { DayBars } from './DayBars.tsx'
import { Figure } from './Figure.tsx'

/** How many leads came in, each number with the list behind it. */
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
        note={leads && `${formatCount(leads.days.at(-2)?.leads ?? 0)} yesterday`}
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

/** Without a share where there is nothing to compare with. */
function describeChange({ last_7_days: now, previous_7_days: before }: Dashboard['leads']) {
  if (before === 0) return 'None in the 7 days before'
  const change = Math.round(((now - before) / before) * 100)
  const share =
    change === 0
      ? 'as many as'
      : `${Math.abs(change).toLocaleString('en-US')}% ${change > 0 ? 'more' : 'fewer'} than`
  return `${share} in the 7 days before (${formatCount(before)})`.replace(/^a/, 'A')
}
