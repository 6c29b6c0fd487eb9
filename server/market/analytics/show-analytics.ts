import type { Analytics, AnalyticsQuery, LeadTallies } from '#core/contract/market/analytics.ts'
import { nameOrders, type CountedLeads, type TalliedLeads } from '#core/data/market/figures/analytics.ts'
import type { LeadSums } from '#core/data/market/figures/day-sums.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { listBeyond } from '#core/domain/market/work-funnel.ts'
import { rateDeliveries } from '#core/domain/webhooks/rate-deliveries.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import type { ServerContext } from '../../context.ts'
import { listDays } from './list-days.ts'
import { findPeriodBefore, readPeriod } from './read-period.ts'
import { returnOnSpend } from './return-on-spend.ts'
import { tallyPeriod } from './tally-period.ts'

const NOTHING: Omit<LeadTallies, 'return_on_spend'> = {
  leads: 0,
  spend: '0.00',
  returned: 0,
  refunded: '0.00',
  contacted: 0,
  sold: 0,
  revenue: '0.00',
}
const REACHED = { contacted: listBeyond('contacted'), sold: listBeyond('sold') }
const HOURS = 24

/** The figures of the caller's own leads over a period of whole days in the account's time zone. */
export async function showAnalytics(
  {
    db,
    primaryDb = db,
    inSlices,
  }: Pick<ServerContext, 'db' | 'inSlices'> & Partial<Pick<ServerContext, 'primaryDb'>>,
  caller: Pick<Principal, 'user_id' | 'member_user_id'>,
  { days, from: first, to: last, ...narrowing }: AnalyticsQuery,
): Promise<Analytics> {
  const period = await readPeriod(db, caller, { days, from: first, to: last })
  const { zone, from, to, begins, ends } = period
  const of: CountedLeads = {
    client: caller.user_id,
    member: caller.member_user_id,
    zone,
    begins,
    ends,
    ...narrowing,
  }
  const dates = await listDays(inSlices, period)
  const before = findPeriodBefore(period, new Date())
  const earlier = await listDays(inSlices, before)
  const [{ tallies: rows, deliveries }, past] = await Promise.all([
    tallyPeriod(db, of, dates, REACHED, { keepIn: primaryDb }),
    tallyPeriod(
      db,
      { ...of, begins: before.begins, ends: before.ends },
      // A day that is cut must not be stored as a whole one.
      before.isCut ? earlier.slice(0, -1) : earlier,
      REACHED,
      { keepIn: primaryDb },
    ),
  ])
  const group = (name: TalliedLeads['group']) => rows.filter((row) => row.group === name)
  const keys = (name: TalliedLeads['group']) => group(name).flatMap(({ key }) => key ?? [])
  const ranked = (name: TalliedLeads['group']) =>
    group(name)
      .filter(({ leads }) => leads > 0)
      .toSorted((a, b) => b.leads - a.leads || order(a.key, b.key))
  const byDay = new Map(group('day').map((row) => [row.key, row]))
  const byHour = new Map(group('hour').map((row) => [row.key, row]))
  return {
    timezone: zone,
    from,
    to,
    begins_at: begins.toISOString(),
    ends_at: ends.toISOString(),
    totals: sumUp({ tallies: rows, deliveries }),
    before: { from: before.from, to: before.to, totals: sumUp(past) },
    days: dates.map(({ date, begins: begun }) => ({
      date,
      begins_at: begun.toISOString(),
      ...pickTallies(byDay.get(date)),
    })),
    states: ranked('state').map((row) => ({ state: row.key, ...pickTallies(row) })),
    lead_types: ranked('lead_type').map((row) => ({ lead_type: row.key, ...pickTallies(row) })),
    sources: ranked('source').map((row) => ({ source: row.key, ...pickTallies(row) })),
    dispositions: group('disposition').flatMap(({ key, leads }) =>
      key === null || leads === 0 ? [] : { disposition: key, leads },
    ),
    hours: Array.from({ length: HOURS }, (_, hour) => ({ hour, ...pickTallies(byHour.get(String(hour))) })),
    choices: {
      orders: await nameOrders(db, of, keys('order_id')),
      states: keys('state').toSorted(),
      lead_types: keys('lead_type').toSorted(),
      sources: keys('source').toSorted((a, b) => a.localeCompare(b)),
    },
  }
}

function sumUp({ tallies, deliveries }: LeadSums): Analytics['totals'] {
  const all = pickTallies(tallies.find(({ group }) => group === 'all'))
  const { attempted, delivered } = deliveries
  const cost = requireCents(all.spend) - requireCents(all.refunded)
  const each = (cents: number, of: number) => (of === 0 ? null : formatCents(Math.round(cents / of)))
  return {
    ...all,
    average_price: each(requireCents(all.spend), all.leads),
    return_rate: share(all.returned, all.leads),
    contact_rate: share(all.contacted, all.leads),
    sold_rate: share(all.sold, all.leads),
    cost_per_sale: each(cost, all.sold),
    ...deliveries,
    delivery_rate: rateDeliveries({ delivered, lost: 0, waiting: attempted - delivered }),
  }
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

/** Sorts rows without a value last. */
function order(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return a.localeCompare(b)
}

function pickTallies(row: TalliedLeads | undefined): LeadTallies {
  const { leads, spend, returned, refunded, contacted, sold, revenue } = row ?? NOTHING
  const tallies = { leads, spend, returned, refunded, contacted, sold, revenue }
  return { ...tallies, return_on_spend: returnOnSpend(tallies) }
}
