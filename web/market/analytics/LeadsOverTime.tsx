import type { Analytics } from '#core/contract/market/analytics.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { formatMoney } from '#web/format/money.ts'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import { ChartCard } from '#web/ui/show/ChartCard.tsx'
import type { ListBehind } from './list-behind.ts'
import { NumberLink } from './NumberLink.tsx'

const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const LONG_DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

export function LeadsByDay({ shown, behind }: { shown: Analytics; behind: ListBehind }) {
  const { days, ends_at: end } = shown
  const ticks = [0, Math.floor(days.length / 2), days.length - 1]
  const best = days.reduce((most, day) => (day.leads > most.leads ? day : most))
  return (
    <ChartCard
      title="By day"
      label={`Leads by day: ${countOf(shown.totals.leads, 'lead')} in ${countOf(days.length, 'day')}, most on ${LONG_DAY.format(new Date(best.date))} with ${best.leads}`}
      columns={days.map(({ date, leads }, index) => ({
        key: date,
        tick: ticks.includes(index) ? DAY.format(new Date(date)) : undefined,
        title: `${LONG_DAY.format(new Date(date))}: ${countOf(leads, 'lead')}`,
        value: leads,
      }))}
      table={
        <DataTable
          label="Leads by day"
          isSlim
          className="max-h-64"
          items={days.map((day, index) => ({ ...day, endsAt: days[index + 1]?.begins_at ?? end }))}
          keyOf={({ date }) => date}
          columns={[
            {
              header: 'Day',
              part: 'who',
              className: 'whitespace-nowrap',
              render: ({ date }) => LONG_DAY.format(new Date(date)),
            },
            {
              header: 'Leads',
              part: 'figure',
              numeric: true,
              render: ({ leads, date, begins_at: from, endsAt: to }) => (
                <NumberLink leads={leads} to={behind({ from, to })} of={LONG_DAY.format(new Date(date))} />
              ),
            },
            { header: 'Spend', part: 'figure', numeric: true, render: ({ spend }) => formatMoney(spend) },
          ]}
        />
      }
    />
  )
}

const NOON = 12

/** Formats an hour: 0 is "12 AM". */
function nameHour(hour: number) {
  return `${hour % NOON === 0 ? NOON : hour % NOON} ${hour < NOON ? 'AM' : 'PM'}`
}

export function LeadsByHour({ hours, totals }: Pick<Analytics, 'hours' | 'totals'>) {
  const best = hours.reduce((most, one) => (one.leads > most.leads ? one : most))
  return (
    <ChartCard
      title="By hour of the day"
      label={`Leads by hour: ${countOf(totals.leads, 'lead')}, most from ${nameHour(best.hour)} with ${best.leads}`}
      columns={hours.map(({ hour, leads }) => ({
        key: String(hour),
        tick: hour % 6 === 0 ? nameHour(hour) : undefined,
        title: `From ${nameHour(hour)}: ${countOf(leads, 'lead')}`,
        value: leads,
      }))}
      table={
        <DataTable
          label="Leads by hour"
          isSlim
          className="max-h-64"
          items={hours}
          keyOf={({ hour }) => String(hour)}
          columns={[
            { header: 'From', part: 'who', render: ({ hour }) => nameHour(hour) },
            { header: 'Leads', part: 'figure', numeric: true, render: ({ leads }) => formatCount(leads) },
            {
              header: 'Contacted',
              part: 'figure',
              numeric: true,
              render: ({ contacted }) => formatCount(contacted),
            },
            { header: 'Sold', part: 'figure', numeric: true, render: ({ sold }) => formatCount(sold) },
          ]}
        />
      }
    />
  )
}
