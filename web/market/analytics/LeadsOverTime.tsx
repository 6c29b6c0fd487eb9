import type { Analytics } from '#core/contract/market/analytics.ts'
import { countOf } from '#web/format/count-of.ts'
import { formatMoney } from '#web/format/money.ts'
import { Cell, HeaderCell, Row, Table, TableHead } from '#web/ui/show/Table.tsx'
import { ChartCard } from './ChartCard.tsx'
import type { ListBehind } from './list-behind.ts'
import { NumberLink } from './NumberLink.tsx'

const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const LONG_DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

export function LeadsByDay({ shown, behind }: { shown: Analytics; behind: ListBehind }) {
  const { days, ends_at: end } = shown
  const at = (index: number) => (days[index] === undefined ? [] : [DAY.format(new Date(days[index].date))])
  const best = days.reduce((most, day) => (day.leads > most.leads ? day : most))
  return (
    <ChartCard
      title="By day"
      label={`Leads by day: ${countOf(shown.totals.leads, 'lead')} in ${countOf(days.length, 'day')}, most on ${LONG_DAY.format(new Date(best.date))} with ${best.leads}`}
      columns={days.map(({ date, leads }) => ({
        key: date,
        title: `${LONG_DAY.format(new Date(date))}: ${countOf(leads, 'lead')}`,
        value: leads,
      }))}
      ticks={[...new Set([...at(0), ...at(Math.floor(days.length / 2)), ...at(days.length - 1)])]}
      table={
        <Table label="Leads by day" className="max-h-64">
          <TableHead>
            <HeaderCell>Day</HeaderCell>
            <HeaderCell numeric>Leads</HeaderCell>
            <HeaderCell numeric>Spend</HeaderCell>
          </TableHead>
          <tbody>
            {days.map(({ date, leads, spend, begins_at: from }, index) => (
              <Row key={date}>
                <Cell className="whitespace-nowrap">{LONG_DAY.format(new Date(date))}</Cell>
                <Cell numeric>
                  <NumberLink
                    leads={leads}
                    to={behind({ from, to: days[index + 1]?.begins_at ?? end })}
                    of={LONG_DAY.format(new Date(date))}
                  />
                </Cell>
                <Cell numeric>{formatMoney(spend)}</Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      }
    />
  )
}

const NOON = 12

/** 0 is "12 AM". */
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
        title: `From ${nameHour(hour)}: ${countOf(leads, 'lead')}`,
        value: leads,
      }))}
      ticks={[0, 6, 12, 18, 23].map(nameHour)}
      table={
        <Table label="Leads by hour" className="max-h-64">
          <TableHead>
            <HeaderCell>From</HeaderCell>
            <HeaderCell numeric>Leads</HeaderCell>
            <HeaderCell numeric>Contacted</HeaderCell>
            <HeaderCell numeric>Sold</HeaderCell>
          </TableHead>
          <tbody>
            {hours.map(({ hour, leads, contacted, sold }) => (
              <Row key={hour}>
                <Cell>{nameHour(hour)}</Cell>
                <Cell numeric>{leads.toLocaleString('en-US')}</Cell>
                <Cell numeric>{contacted.toLocaleString('en-US')}</Cell>
                <Cell numeric>{sold.toLocaleString('en-US')}</Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      }
    />
  )
}
