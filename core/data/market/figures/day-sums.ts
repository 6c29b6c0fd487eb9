import { sql } from 'kysely'
import type { Db } from '../../database.ts'
import type { CountedLeads, Reached, TalliedLeads } from './analytics.ts'

/**
 * A sum is kept for a day that ended this many hours ago. Later changes of its leads are noted
 * (migrations/20261124004000-sum-days-of-leads.ts), but not those of leads younger than 36 hours. The twelve hours
 * between the two are for transactions that began before and end after.
 */
const KEPT_AFTER_HOURS = 48

/** A client's day in a time zone. */
export interface ClientDay {
  client: string
  zone: string
  date: string
  begins: Date
  ends: Date
}

/** Number of deliveries, and of those that were delivered. */
export interface TalliedDeliveries {
  attempted: number
  delivered: number
}

/** The figures of leads, in the form of core/data/market/figures/analytics.ts, with those of their deliveries. */
export interface LeadSums {
  tallies: TalliedLeads[]
  deliveries: TalliedDeliveries
}

/**
 * SQL: how and where the sums were counted. Sums of a version that counts differently are not valid. Nor are those of
 * another cluster, from which a dump was restored: its snapshots say nothing about transactions here.
 */
function formOf({ contacted, sold }: Reached) {
  return sql`(select ${`3 ${contacted.join()} ${sold.join()} `}::text || system_identifier::text from pg_control_system())`
}

/** Whether a client got so many leads in a period that sums of its days are worth storing. */
export async function hasManyLeads(
  db: Db,
  { client, begins, ends }: CountedLeads,
  many: number,
): Promise<boolean> {
  const { rows } = await sql<{ is_many: boolean }>`
    /* planned for its values */ select exists (
      select from leads where assigned_to = ${client} and created_at >= ${begins} and created_at < ${ends} offset ${many}
    ) as is_many`.execute(db)
  return rows[0]?.is_many ?? false
}

/** The present snapshot: sums that are counted afterwards include at least what it sees. */
export async function readSnapshot(db: Db): Promise<string> {
  const { rows } = await sql<{ sees: string }>`select pg_current_snapshot()::text as sees`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL told no snapshot')
  return row.sees
}

/**
 * Stores the sums of a day that ended long enough ago.
 * @param snapshot from before they were counted: a change that it does not see voids them, even if they include it
 */
export async function keepDaySums(
  db: Db,
  { client, zone, date, begins, ends }: ClientDay,
  reached: Reached,
  { snapshot, sums }: { snapshot: string; sums: LeadSums },
): Promise<void> {
  const { attempted, delivered } = sums.deliveries
  await sql`
    insert into lead_day_sums (client_user_id, day, zone, form, begins, ends, snapshot, tallies, attempted, delivered)
    select ${client}, ${date}::date, ${zone}, ${formOf(reached)}, ${begins}, ${ends}, ${snapshot}::pg_snapshot,
      ${JSON.stringify(sums.tallies)}::jsonb, ${attempted}::integer, ${delivered}::integer
    where ${ends}::timestamptz <= now() - make_interval(hours => ${KEPT_AFTER_HOURS})
    on conflict (client_user_id, day) do update set zone = excluded.zone, form = excluded.form, begins = excluded.begins,
      ends = excluded.ends, snapshot = excluded.snapshot, tallies = excluded.tallies, attempted = excluded.attempted,
      delivered = excluded.delivered`.execute(db)
}

/**
 * A day whose sums are valid (`group` is "kept", `key` the day), or the figures of all those days' leads of a group.
 */
interface KeptRow extends TalliedLeads, TalliedDeliveries {}

/**
 * The valid stored sums: nothing of their leads has changed since they were counted.
 * @returns the days, and the figures of all of them together
 */
export async function readDaySums(
  db: Db,
  { client, zone }: Pick<ClientDay, 'client' | 'zone'>,
  reached: Reached,
  { first, last }: { first: string; last: string },
): Promise<LeadSums & { days: string[] }> {
  const { rows } = await sql<KeptRow>`
    with held as materialized (
      select day, tallies, attempted, delivered from lead_day_sums s
      where client_user_id = ${client} and zone = ${zone} and form = ${formOf(reached)} and day between ${first}::date and ${last}::date
        and not exists (
          select from lead_day_changes c
          where c.client_user_id = s.client_user_id and c.quarter >= s.begins and c.quarter < s.ends
            and not pg_visible_in_snapshot(c.xid, s.snapshot))
    ), each as (
      select held.day, one.* from held cross join lateral jsonb_to_recordset(tallies) as one ("group" text, key text, leads integer,
        spend numeric, returned integer, refunded numeric, contacted integer, sold integer, revenue numeric)
    )
    select 'kept' as "group", day::text as key, 0 as leads, '0.00' as spend, 0 as returned, '0.00' as refunded, 0 as contacted, 0 as sold,
      '0.00' as revenue, attempted, delivered from held
    union all
    select 'day', day::text, leads, spend::text, returned, refunded::text, contacted, sold, revenue::text, 0, 0 from each where "group" = 'all'
    union all
    select "group", key, sum(leads)::int, sum(spend)::text, sum(returned)::int, sum(refunded)::text, sum(contacted)::int, sum(sold)::int,
      sum(revenue)::text, 0, 0
    from each where "group" <> 'day' group by "group", key`.execute(db)
  const kept = rows.filter(({ group }) => group === 'kept')
  const count = (of: 'attempted' | 'delivered') => kept.reduce((sum, row) => sum + row[of], 0)
  return {
    days: kept.flatMap(({ key }) => key ?? []),
    tallies: rows.flatMap(({ attempted: _of, delivered: _the, ...tally }) =>
      tally.group === 'kept' ? [] : tally,
    ),
    deliveries: { attempted: count('attempted'), delivered: count('delivered') },
  }
}

/**
 * Removes changes that were noted before this moment, and the sums that they have voided. It also removes sums of
 * another cluster: they would be valid again if a dump of this one were restored there.
 * @returns number of changes
 */
export async function removeDayChanges(db: Db, before: Date): Promise<number> {
  const { rows } = await sql`
    with gone as (
      delete from lead_day_changes where noted_at < ${before} returning client_user_id, quarter, xid
    ), void as (
      delete from lead_day_sums s using gone
      where gone.client_user_id = s.client_user_id and gone.quarter >= s.begins and gone.quarter < s.ends
        and not pg_visible_in_snapshot(gone.xid, s.snapshot)
    ), foreign_sums as (
      delete from lead_day_sums using pg_control_system() here where form not like '% ' || here.system_identifier
    )
    select from gone`.execute(db)
  return rows.length
}
