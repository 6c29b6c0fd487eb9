import { OVERVIEW_ROWS, type Overview, type OverviewFigures } from '#core/contract/operations/overview.ts'
import type { Db } from '#core/data/database.ts'
import { nameSources } from '#core/data/operations/overview/fill-rates.ts'
import { listKeptHours, readKeptMarket, readPast } from '#core/data/operations/overview/kept-hours.ts'
import { countMarket, type MarketHour } from '#core/data/operations/overview/market-hours.ts'
import { figureOut, shareOf, type MarketSum } from '#core/domain/market/figures.ts'
import { chooseHours, floorHour, joinHours } from './choose-hours.ts'
import type { SumSources } from './sum-sources.ts'

const HOUR_MS = 3_600_000
const HOURS = 24

/**
 * Today and yesterday until the same time, the last 24 hours one by one, and the sources since a day began. The hour
 * that is not over is counted once for all of them.
 */
export async function sumMarket(
  { db, sumSources }: { db: Db; sumSources: SumSources },
  { today, yesterday, week, now }: { today: Date; yesterday: Date; week: Date; now: Date },
): Promise<Pick<Overview, 'today' | 'yesterday' | 'hours' | 'sources' | 'unsummed_hours'>> {
  const then = new Date(yesterday.getTime() + now.getTime() - today.getTime())
  const current = floorHour(now.getTime())
  const first = Math.min(yesterday.getTime(), current - (HOURS - 1) * HOUR_MS)
  const hours = await listKeptHours(db, { begins: week, ends: now })
  const known = hours.map(({ hour }) => hour)
  const { count, left } = await chooseHours(
    { begins: week.getTime(), now: now.getTime(), known: new Set(known) },
    () => readPast(db, 'leads'),
  )
  const [counted, kept, sources, part] = await Promise.all([
    countHours(db, count, now),
    readKeptMarket(
      db,
      known.filter((hour) => hour >= first),
    ),
    // Newer hours are read anyway, one by one.
    sumSources(
      hours.filter(({ hour }) => hour < first),
      week,
    ),
    countMarket(db, { begins: new Date(floorHour(then.getTime())), ends: then }),
  ])
  const rows: MarketHour[] = [
    ...[...kept].flatMap(([hour, market]) => market.map((sum) => ({ ...sum, hour }))),
    ...counted,
  ]
  // Yesterday ends within an hour, of which only a part counts.
  const within = (begins: number, ends: number) => rows.filter(({ hour }) => hour >= begins && hour < ends)
  return {
    unsummed_hours: left,
    sources: await listSources(db, [...sources, ...rows], week),
    today: pick(within(today.getTime(), Number.POSITIVE_INFINITY), today.getTime()),
    yesterday: pick(
      [...within(yesterday.getTime(), floorHour(then.getTime())), ...part],
      yesterday.getTime(),
    ),
    hours: Array.from({ length: HOURS }, (_, index) => {
      const hour = current - (HOURS - 1 - index) * HOUR_MS
      return { at: new Date(hour).toISOString(), ...pick(within(hour, hour + HOUR_MS), hour) }
    }),
  }
}

/** The sources since a day began, the largest first. */
async function listSources(db: Db, sums: readonly MarketSum[], week: Date): Promise<Overview['sources']> {
  const bySource = Map.groupBy(sums, ({ source_id }) => source_id)
  const largest = [...bySource]
    .map(([source_id, its]) => ({ source_id, ...figureOut(its, week.getTime()) }))
    .toSorted((a, b) => b.leads_in - a.leads_in)
    .slice(0, OVERVIEW_ROWS)
  const names = await nameSources(
    db,
    largest.flatMap(({ source_id }) => source_id ?? []),
  )
  return largest.map(
    ({ source_id, leads_in, duplicates, cost, revenue, margin, sold, unsold, returned }) => ({
      source_id,
      source_name: source_id === null ? null : (names.get(source_id) ?? null),
      leads_in,
      duplicates,
      cost,
      revenue,
      margin,
      sold_share: shareOf(leads_in - unsold, leads_in),
      return_rate: shareOf(returned, sold),
      duplicate_share: shareOf(duplicates, leads_in),
    }),
  )
}

/** Hours that are not stored, from the rows themselves; the last one is not over. */
async function countHours(db: Db, hours: readonly number[], now: Date): Promise<MarketHour[]> {
  const rows: MarketHour[] = []
  for (const { begins, ends } of joinHours(hours))
    rows.push(...(await countMarket(db, { begins, ends: ends > now ? now : ends })))
  return rows
}

function pick(sums: readonly MarketSum[], begins: number): OverviewFigures {
  const { leads_in, sold, unsold, returned, revenue, margin } = figureOut(sums, begins)
  return { leads_in, sold, unsold, returned, revenue, margin }
}
