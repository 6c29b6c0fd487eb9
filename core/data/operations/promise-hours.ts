import { sql, type Kysely } from 'kysely'
import { ADMINISTRATION_ZONE } from '#core/contract/market/administration-zone.ts'
import type { Db } from '../database.ts'
import type { Database } from '../schema/tables.ts'
import { isNear, isWithin } from './overview/near-ids.ts'

/** Hours of another form were counted in another way, and are counted again. */
const FORM = 1
const HOUR_MS = 3_600_000

/**
 * Hours to be counted, newest first: past ones without a count, and those that were counted less than two hours after
 * their end, because late leads are judged a little later.
 */
export async function listPromiseHours(db: Db): Promise<Date[]> {
  const { rows } = await sql<{ hour: Date }>`
    select h.hour from generate_series(
      greatest((select min(hour) from promise_hours) + interval '1 hour', date_trunc('hour', now()) - interval '7 days'),
      date_trunc('hour', now() - interval '10 minutes') - interval '1 hour', interval '1 hour') as h (hour)
    left join promise_hours p on p.hour = h.hour and p.form = ${FORM}
    where p.hour is null or (p.counted_at < h.hour + interval '3 hours' and now() >= h.hour + interval '3 hours')
    order by h.hour desc`.execute(db)
  return rows.map(({ hour }) => hour)
}

/**
 * Counts the first attempts that began in an hour, and those of them that were late because of us.
 * @returns false if another worker is counting
 */
export async function keepPromiseHour(db: Kysely<Database>, hour: Date): Promise<boolean> {
  const span = { begins: hour, ends: new Date(hour.getTime() + HOUR_MS) }
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('leadwire promise hours')) as is_mine`.execute(trx)
    if (rows[0]?.is_mine !== true) return false
    await sql`
      /* planned for its values */ insert into promise_hours (hour, form, counted_at, begun, late)
      select ${hour}, ${FORM}, now(), (
        select count(distinct g.event_id) from webhook_delivery_logs g
        join webhook_deliveries d on d.id = g.delivery_id and d.resend_of is null
        where ${isNear('g.id', span)} and ${isWithin('g.created_at', span)} and g.attempt_number = 1
          and g.event_type = 'lead.assigned'
      ), (
        select count(*) from late_leads k where ${isWithin('k.begun_at', span)} and k.reason is distinct from 'test'
      )
      on conflict (hour) do update set form = excluded.form, counted_at = excluded.counted_at, begun = excluded.begun,
        late = excluded.late`.execute(trx)
    return true
  })
}

/** The counted first attempts of a day, and those that were late. */
export interface PromiseDay {
  day: string
  begun: number
  late: number
}

/** The sums of the last days, oldest first, by days of the administration; days without a count are left out. */
export async function readPromiseDays(db: Db, days: number): Promise<PromiseDay[]> {
  const { rows } = await sql<PromiseDay>`
    select to_char(hour at time zone ${ADMINISTRATION_ZONE}, 'YYYY-MM-DD') as day, sum(begun)::int as begun, sum(late)::int as late
    from promise_hours
    where form = ${FORM} and hour >= date_trunc('day', now(), ${ADMINISTRATION_ZONE}) - make_interval(days => ${days})
    group by 1 order by 1`.execute(db)
  return rows
}

/**
 * Late leads of the current month that are to be credited and are not yet, and whether any lead type is credited. It
 * reads only those that wait.
 */
export async function readOwedCredits(db: Db): Promise<{ month: string; owed: number; is_offered: boolean }> {
  const { rows } = await sql<{ month: string; owed: number; is_offered: boolean }>`
    select to_char(now() at time zone ${ADMINISTRATION_ZONE}, 'YYYY-MM') as month,
      (select count(*)::int from late_leads where credit in ('waiting', 'unclear')
        and begun_at >= date_trunc('month', now(), ${ADMINISTRATION_ZONE})) as owed,
      exists (select from lead_types where late_credit) as is_offered`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL answered nothing')
  return row
}
