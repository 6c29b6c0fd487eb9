import { sql, type Kysely } from 'kysely'
import type { MarketSum } from '#core/domain/market/figures.ts'
import type { DeliverySum } from '#core/domain/webhooks/delivery-health.ts'
import type { Db } from '../../database.ts'
import type { Database } from '../../schema/tables.ts'
import { countDeliveries } from './delivery-hours.ts'
import { countMarket } from './market-hours.ts'
import { binOf, type Span } from './near-ids.ts'

/** Hours of another form were counted in another way, and are counted again. */
const FORM = 1
/** The overview shows a week. */
export const KEPT_DAYS = 8
const HOUR_MS = 3_600_000

/**
 * Hours to be counted, newest first: past ones without a count, and those whose age has doubled since they were counted,
 * because a delivery may arrive late. After two days nothing changes any more. Hours before the first lead are left out:
 * they have nothing to count.
 */
export async function listHoursToCount(db: Db): Promise<Date[]> {
  const { rows } = await sql<{ hour: Date }>`
    select h.hour from (
      select generate_series(${binOf('at')} - make_interval(days => ${sql.lit(KEPT_DAYS - 1)}), ${binOf('at')} - interval '1 hour', interval '1 hour') as hour
      from (select now() as at) clock
    ) h left join overview_hours o on o.hour = h.hour and o.form = ${FORM}
    where h.hour >= (select ${binOf('l.created_at')} from leads l order by l.id limit 1) and (o.hour is null or (o.counted_at < h.hour + interval '2 days'
      and now() - (h.hour + interval '1 hour') >= 2 * (o.counted_at - (h.hour + interval '1 hour'))))
    order by h.hour desc`.execute(db)
  return rows.map(({ hour }) => hour)
}

/**
 * Counts an hour and stores its sums.
 * @returns false if another worker is counting
 */
export async function keepHour(db: Kysely<Database>, hour: Date): Promise<boolean> {
  const span = { begins: hour, ends: new Date(hour.getTime() + HOUR_MS) }
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('leadwire overview hours')) as is_mine`.execute(trx)
    if (rows[0]?.is_mine !== true) return false
    const market = (await countMarket(trx, span)).map(({ hour: _hour, ...sum }) => sum)
    const deliveries = (await countDeliveries(trx, span, 60)).map(({ at: _at, ...sum }) => sum)
    await sql`
      insert into overview_hours (hour, form, counted_at, market, deliveries)
      values (${hour}, ${FORM}, now(), ${JSON.stringify(market)}::jsonb, ${JSON.stringify(deliveries)}::jsonb)
      on conflict (hour) do update set form = excluded.form, counted_at = excluded.counted_at, market = excluded.market,
        deliveries = excluded.deliveries`.execute(trx)
    return true
  })
}

/** The sums of stored hours, by the hour's beginning in milliseconds. */
export async function readKeptMarket(db: Db, hours: readonly number[]): Promise<Map<number, MarketSum[]>> {
  return await readKept<MarketSum>(db, 'market', hours)
}

/** The same of their deliveries. */
export async function readKeptDeliveries(
  db: Db,
  hours: readonly number[],
): Promise<Map<number, DeliverySum[]>> {
  return await readKept<DeliverySum>(db, 'deliveries', hours)
}

async function readKept<Sum>(
  db: Db,
  column: 'market' | 'deliveries',
  hours: readonly number[],
): Promise<Map<number, Sum[]>> {
  const { rows } = await sql<{ hour: Date; sums: Sum[] }>`
    select hour, ${sql.ref(column)} as sums from overview_hours
    where hour = any(${dates(hours)}::timestamptz[])`.execute(db)
  return new Map(rows.map(({ hour, sums }) => [hour.getTime(), sums]))
}

/** A stored hour: its beginning, and when it was counted, in milliseconds. */
export interface KeptHour {
  hour: number
  counted_at: number
}

/** The stored hours of a span. */
export async function listKeptHours(db: Db, { begins, ends }: Span): Promise<KeptHour[]> {
  const { rows } = await sql<{ hour: Date; counted_at: Date }>`
    select hour, counted_at from overview_hours
    where hour >= ${begins} and hour < ${ends} and form = ${FORM} order by hour`.execute(db)
  return rows.map(({ hour, counted_at }) => ({ hour: hour.getTime(), counted_at: counted_at.getTime() }))
}

const dates = (hours: readonly number[]) => hours.map((hour) => new Date(hour))

/** Sums of stored hours for each source; `came` is `begins` for leads that came since then. */
export async function readKeptSources(db: Db, hours: readonly number[], begins: Date): Promise<MarketSum[]> {
  const { rows } = await sql<MarketSum>`
    select one.source_id, case when one.came >= extract(epoch from ${begins}::timestamptz) * 1000
        then (extract(epoch from ${begins}::timestamptz) * 1000)::float8 end as came,
      sum(one.leads_in)::int as leads_in, sum(one.duplicates)::int as duplicates, sum(one.cost)::text as cost,
      sum(one.sold)::int as sold, sum(one.first_sold)::int as first_sold, sum(one.sales)::text as sales,
      sum(one.returned)::int as returned, sum(one.credits)::text as credits
    from overview_hours o cross join lateral jsonb_to_recordset(o.market) as one (source_id uuid, came float8, leads_in int,
      duplicates int, cost numeric, sold int, first_sold int, sales numeric, returned int, credits numeric)
    where o.hour = any(${dates(hours)}::timestamptz[]) group by 1, 2`.execute(db)
  return rows
}

/** @returns number of removed hours */
export async function removeKeptHours(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('overview_hours')
    .where('hour', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Rows that a screen counts by itself while hours have no stored sums: about 50 ms of work. */
const FEW_ROWS = { leads: 10_000, webhook_deliveries: 30_000 }

/**
 * Reads when the first lead came, and since when few rows came, by their ids.
 * @returns `few` is null if the table has few; `first` is null if there is no lead
 */
export async function readPast(
  db: Db,
  table: keyof typeof FEW_ROWS,
): Promise<{ first: Date | null; few: Date | null }> {
  const { rows } = await sql<{ first: Date | null; id: string | null }>`
    select (select created_at from leads order by id limit 1) as first,
      (select id from ${sql.table(table)} order by id desc offset ${sql.lit(FEW_ROWS[table])} limit 1) as id`.execute(
    db,
  )
  const { first, id } = rows[0] ?? { first: null, id: null }
  // The first 48 bits of an id are its time (RFC 9562 §5.7).
  return { first, few: id === null ? null : new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)) }
}
