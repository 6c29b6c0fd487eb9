import type { Analytics } from '#core/contract/market/analytics.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { formatMoney } from '#web/format/money.ts'
import { ColumnChart } from '#web/ui/show/ColumnChart.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import { ChartBeside } from './ChartBeside.tsx'
import type { ListBehind } from './list-behind.ts'
import { NumberLink } from './NumberLink.tsx'
import { trimDays } from './trim-days.ts'

const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const LONG_DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const nameDay = (date: string) => LONG_DAY.format(new Date(date))
/** Has the height of the chart beside it. */
const TABLE = 'max-h-53'

export function LeadsByDay({ shown, behind }: { shown: Analytics; behind: ListBehind }) {
  const all = shown.days.map((day, index) => ({
    ...day,
    endsAt: shown.days[index + 1]?.begins_at ?? shown.ends_at,
  }))
  const days = trimDays(all)
  const left = all.length - days.length
  const best = days.reduce((most, day) => (day.leads > most.leads ? day : most))
  const ticks = [0, Math.floor(days.length / 2), days.length - 1]
  return (
    <ChartBeside
      title="By day"
      note={left === 0 ? undefined : `${countOf(left, 'day')} without leads left out`}
      chart={
        <ColumnChart
          label={`Leads by day: ${countOf(shown.totals.leads, 'lead')} in ${countOf(days.length, 'day')}, most on ${nameDay(best.date)} with ${best.leads}`}
          columns={days.map(({ date, leads }, index) => ({
            key: date,
            title: `${nameDay(date)}: ${countOf(leads, 'lead')}`,
            value: leads,
            tick: ticks.includes(index) ? DAY.format(new Date(date)) : undefined,
          }))}
        />
      }
      table={
        <DataTable
          label="Leads by day"
          isSlim
          className={TABLE}
          items={days}
          keyOf={({ date }) => date}
          columns={[
            {
              header: 'Day',
              part: 'who',
              className: 'whitespace-nowrap',
              render: ({ date }) => nameDay(date),
            },
            {
              header: 'Leads',
              part: 'figure',
              numeric: true,
              render: ({ leads, date, begins_at: from, endsAt: to }) => (
                <NumberLink leads={leads} to={behind({ from, to })} of={nameDay(date)} />
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
const QUARTER_OF_DAY = 6

/** Formats an hour: 0 is "12 AM". */
function nameHour(hour: number) {
  return `${hour % NOON === 0 ? NOON : hour % NOON} ${hour < NOON ? 'AM' : 'PM'}`
}

export function LeadsByHour({ hours, totals }: Pick<Analytics, 'hours' | 'totals'>) {
  const best = hours.reduce((most, one) => (one.leads > most.leads ? one : most))
  return (
    <ChartBeside
      title="By hour of the day"
      chart={
        <ColumnChart
          label={`Leads by hour: ${countOf(totals.leads, 'lead')}, most from ${nameHour(best.hour)} with ${best.leads}`}
          columns={hours.map(({ hour, leads }) => ({
            key: String(hour),
            title: `From ${nameHour(hour)}: ${countOf(leads, 'lead')}`,
            value: leads,
            tick: hour % QUARTER_OF_DAY === 0 ? nameHour(hour) : undefined,
          }))}
        />
      }
      table={
        <DataTable
          label="Leads by hour"
          isSlim
          className={TABLE}
          items={hours.filter(({ leads }) => leads > 0)}
          keyOf={({ hour }) => String(hour)}
          columns={[
            {
              header: 'From',
              part: 'who',
              className: 'whitespace-nowrap',
              render: ({ hour }) => nameHour(hour),
            },
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
