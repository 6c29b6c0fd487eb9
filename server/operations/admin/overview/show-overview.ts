import { OVERVIEW_ROWS, SOURCE_DAYS, type Overview } from '#core/contract/operations/overview.ts'
import type { Db } from '#core/data/database.ts'
import { listCappedOrders } from '#core/data/operations/overview/fill-rates.ts'
import { readClock } from '#core/data/read-clock.ts'
import { countMissing, judgeFill } from '#core/domain/market/fill-rate.ts'
import { addDays, localMoment, whenDateBegins } from '#core/domain/market/local-moment.ts'
import { ADMINISTRATION_ZONE } from '#core/contract/market/administration-zone.ts'
import type { ServerContext } from '../../../context.ts'
import { readHealth } from './read-health.ts'
import { sumMarket } from './sum-market.ts'

type Context = Pick<ServerContext, 'db'> & {
  proxies: Pick<ServerContext['proxies'], 'seen'>
  operations: Pick<ServerContext['operations'], 'readQueueState' | 'sumSources'>
}

/** Shows what the business and its deliveries did today, for administrators. It writes nothing. */
export async function showOverview({ db, operations, proxies }: Context): Promise<Overview> {
  const began = performance.now()
  const now = await readClock(db)
  const postgres_ms = Math.round(performance.now() - began)
  const today = localMoment(ADMINISTRATION_ZONE, now).date
  const begins = (daysAgo: number) => whenDateBegins(ADMINISTRATION_ZONE, addDays(today, -daysAgo))
  const [market, fill, { health, unsummed_hours }] = await Promise.all([
    sumMarket(
      { db, sumSources: operations.sumSources },
      { today: begins(0), yesterday: begins(1), week: begins(SOURCE_DAYS - 1), now },
    ),
    listFill(db, now),
    readHealth({ db, operations }, now),
  ])
  return {
    timezone: ADMINISTRATION_ZONE,
    ...market,
    unsummed_hours: Math.max(market.unsummed_hours, unsummed_hours),
    fill,
    health: { ...health, postgres_ms, unknown_proxies: proxies.seen() },
  }
}

async function listFill(db: Db, now: Date): Promise<Overview['fill']> {
  return (await listCappedOrders(db))
    .map((order) => ({ order, caps: judgeFill(order, now) }))
    .toSorted((a, b) => countMissing(b.caps) - countMissing(a.caps))
    .slice(0, OVERVIEW_ROWS)
    .map(({ order: { order_id, order_name, client_id, client_name }, caps }) => ({
      order_id,
      order_name,
      client_id,
      client_name,
      caps,
    }))
}
