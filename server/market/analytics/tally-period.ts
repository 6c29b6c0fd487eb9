import type { Kysely } from 'kysely'
import {
  tallyLeads,
  type CountedLeads,
  type Reached,
  type TalliedLeads,
} from '#core/data/market/figures/analytics.ts'
import {
  hasManyLeads,
  keepDaySums,
  readDaySums,
  readSnapshot,
  type ClientDay,
  type LeadSums,
} from '#core/data/market/figures/day-sums.ts'
import { tallyDeliveries } from '#core/data/market/figures/delivery-figures.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import type { Day } from './list-days.ts'

/** Below this number, counting the leads is faster than looking up the sums of their days. */
const MANY = 10_000
/** Days that ended more recently are counted each time, because their leads still change. */
const SETTLED_MS = 72 * 3600 * 1000

/**
 * Tallies the leads of a period and their deliveries. If there are many leads, the sums of past days are looked up. A
 * day without a sum, or whose leads have changed since, is counted and stored.
 * @param days all of the period, in order
 * @param options.keepIn the database in which sums are stored, if `db` is a replica
 */
export async function tallyPeriod(
  db: Kysely<Database>,
  of: CountedLeads,
  days: readonly Day[],
  reached: Reached,
  { many = MANY, now = new Date(), keepIn = db } = {},
): Promise<LeadSums> {
  const { client, zone, order, state, lead_type: type, source } = of
  const isNarrowed = [order, state, type, source].some((one) => one !== undefined)
  if (of.member !== undefined || isNarrowed || !(await hasManyLeads(db, of, many)))
    return await count(db, of, reached)
  const settled = days.filter(({ ends }) => ends.getTime() <= now.getTime() - SETTLED_MS)
  const first = settled[0]
  if (first === undefined) return await count(db, of, reached)
  const kept = await readDaySums(db, of, reached, {
    first: first.date,
    last: settled.at(-1)?.date ?? first.date,
  })
  const known = new Set(kept.days)
  const sums: LeadSums[] = [kept]
  for (const day of settled)
    if (!known.has(day.date)) sums.push(await countDay(keepIn, { client, zone, ...day }, reached))
  const begins = settled.at(-1)?.ends ?? of.begins
  if (begins < of.ends) sums.push(await count(db, { ...of, begins }, reached))
  return addUp(sums)
}

async function count(db: Kysely<Database>, of: CountedLeads, reached: Reached): Promise<LeadSums> {
  const [tallies, deliveries] = await Promise.all([tallyLeads(db, of, reached), tallyDeliveries(db, of)])
  return { tallies, deliveries }
}

async function countDay(db: Kysely<Database>, day: ClientDay, reached: Reached): Promise<LeadSums> {
  const snapshot = await readSnapshot(db)
  const sums = await count(db, day, reached)
  await keepDaySums(db, day, reached, { snapshot, sums })
  return sums
}

/** One row for each group and key. */
function addUp(all: readonly LeadSums[]): LeadSums {
  const sums = new Map<string, TalliedLeads>()
  const attempted = all.reduce((sum, { deliveries }) => sum + deliveries.attempted, 0)
  const delivered = all.reduce((sum, { deliveries }) => sum + deliveries.delivered, 0)
  for (const row of all.flatMap(({ tallies }) => tallies)) {
    const place = JSON.stringify([row.group, row.key])
    const sum = sums.get(place)
    sums.set(place, sum === undefined ? row : add(sum, row))
  }
  return { tallies: [...sums.values()], deliveries: { attempted, delivered } }
}

function add(a: TalliedLeads, b: TalliedLeads): TalliedLeads {
  const money = (of: 'spend' | 'refunded' | 'revenue') =>
    formatCents(requireCents(a[of]) + requireCents(b[of]))
  return {
    group: a.group,
    key: a.key,
    leads: a.leads + b.leads,
    spend: money('spend'),
    returned: a.returned + b.returned,
    refunded: money('refunded'),
    contacted: a.contacted + b.contacted,
    sold: a.sold + b.sold,
    revenue: money('revenue'),
  }
}
