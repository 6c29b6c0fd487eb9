import { sql, type Kysely } from 'kysely'
import type { Db } from '../../database.ts'
import type { Database } from '../../schema/tables.ts'
import { movedForLeads, REVENUE_FIGURES, REVENUE_KEYS } from './revenue.ts'

/** Days of another form were counted in another way or time zone, and are counted again. */
const FORM = 1
/**
 * An entry has the time at which its transaction began. A day is counted this long after its end, when all of its
 * transactions have ended.
 */
const COUNTED_AFTER_HOURS = 1

/** A day of the administration, as a half-open span. */
export interface RevenueDay {
  day: string
  begins: Date
  ends: Date
}

/** Past days since the first entry that are not stored, newest first. */
export async function listDaysToCount(db: Db, zone: string): Promise<RevenueDay[]> {
  const { rows } = await sql<RevenueDay>`
    select d.day::text as day, d.day::timestamp at time zone ${zone} as begins, (d.day + 1)::timestamp at time zone ${zone} as ends
    from (
      select generate_series(
        (select (created_at at time zone ${zone})::date from balance_ledger order by id limit 1)::timestamp,
        ((now() - make_interval(hours => ${sql.lit(COUNTED_AFTER_HOURS)})) at time zone ${zone})::date - interval '1 day',
        interval '1 day')::date as day
    ) d
    where not exists (select from revenue_days r where r."by" = 'day' and r.day = d.day and r.form = ${FORM})
    order by d.day desc`.execute(db)
  return rows
}

/**
 * Counts a day and stores its sums. A lead counts for the type, state and source that it has now.
 * @returns false if another worker is counting
 */
export async function keepRevenueDay(
  db: Kysely<Database>,
  { day, begins, ends }: RevenueDay,
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('leadwire revenue days')) as is_mine`.execute(trx)
    if (rows[0]?.is_mine !== true) return false
    await sql`delete from revenue_days where day = ${day}::date`.execute(trx)
    const { client, lead_type: type, state, source } = REVENUE_KEYS
    await sql`
      /* planned for its values */ insert into revenue_days ("by", day, key, form, sold, sales, returned, credits)
      select case when g.client is not null then 'client' when g.lead_type is not null then 'lead_type'
          when g.state is not null then 'state' when g.source is not null then 'source' else 'day' end,
        ${day}::date, coalesce(g.client, g.lead_type, g.state, g.source, ''), ${FORM}, g.sold, g.sales, g.returned, g.credits
      from (
        select m.client, m.lead_type, m.state, m.source, ${REVENUE_FIGURES}
        from (
          select m.entry_type, m.amount, ${client} as client, ${type} as lead_type, ${state} as state, ${source} as source
          from ${await movedForLeads(trx, { begins, ends }, true)}
        ) m group by grouping sets ((m.client), (m.lead_type), (m.state), (m.source), ())
      ) g`.execute(trx)
    return true
  })
}

/** The stored days of a period. */
export async function listKeptDays(
  db: Db,
  { first, last }: { first: string; last: string },
): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day::text as day from revenue_days
    where "by" = 'day' and day between ${first}::date and ${last}::date and form = ${FORM} order by day`.execute(
    db,
  )
  return rows.map(({ day }) => day)
}
