import type { Analytics, LeadTallies } from '#core/contract/market/analytics.ts'
import { writeCsvRow } from '#core/domain/write-csv-row.ts'

const HEAD = ['Group', 'Of', 'Leads', 'Spend', 'Returned', 'Refunded', 'Contacted', 'Sold', 'Revenue']

/** The rows of the screen as a CSV file: the whole period, then by day, state, type, source, disposition and hour. */
export async function* writeAnalytics(shown: Analytics): AsyncGenerator<string> {
  const { from, to, totals, days, states, lead_types, sources, dispositions, hours } = shown
  const row = (group: string, of: string, t: LeadTallies) =>
    writeCsvRow([
      group,
      of,
      ...[t.leads, t.spend, t.returned, t.refunded, t.contacted, t.sold, t.revenue].map((cell) =>
        String(cell),
      ),
    ])
  yield await Promise.resolve(writeCsvRow(HEAD) + row('Period', `${from} to ${to}`, totals))
  yield days.map((day) => row('Day', day.date, day)).join('')
  yield states.map((one) => row('State', one.state ?? '', one)).join('')
  yield lead_types.map((one) => row('Type', one.lead_type ?? '', one)).join('')
  yield sources.map((one) => row('Source', one.source ?? '', one)).join('')
  yield dispositions
    .map(({ disposition, leads }) => writeCsvRow(['Disposition', disposition, String(leads)]))
    .join('')
  yield hours.map((one) => row('Hour', String(one.hour), one)).join('')
}
