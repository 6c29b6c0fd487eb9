import { sql } from 'kysely'
import type { Db } from '../../database.ts'
import type { CountedLeads, Reached, TalliedLeads } from './analytics.ts'

/**
 * A sum is kept of a day that ended so many hours ago. Later changes of its leads are noted (migrations/20261124004000-sum-days-of-leads.ts), those of leads that are
 * younger than 36 hours are not: there are twelve for a transaction that began before and ends after.
 */
const KEPT_AFTER_HOURS = 48

/** A client's day, by the clock of a zone. */
export interface ClientDay {
  client: string
  zone: string
  date: string
  begins: Date
  ends: Date
}

/** Of how many leads anything was sent, and of how many every webhook took it. */
export interface TalliedDeliveries {
  attempted: number
  delivered: number
}

/** What leads came to: as core/data/market/figures/analytics.ts tells it of a period, and of what was sent. */
export interface LeadSums {
  tallies: TalliedLeads[]
  deliveries: TalliedDeliveries
}

/**
 * SQL: how and where the sums were counted. Sums of a version that counts differently do not hold. Neither do those of another cluster,
 * from which a dump was restored: its snapshots say nothing of the transactions of this one.
 */
function formOf({ contacted, sold }: Reached) {
  return sql`(select ${`1 ${contacted.join()} ${sold.join()} `}::text || system_identifier::text from pg_control_system())`
}

/** Whether so many leads came to a client in a period that sums of its days are worth keeping. */
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

/** What can be seen now: whoever sums afterwards sees no less. */
export async function readSnapshot(db: Db): Promise<string> {
  const { rows } = await sql<{ sees: string }>`select pg_current_snapshot()::text as sees`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL told no snapshot')
  return row.sees
}

/**
 * Keeps the sums of a day, once it is long enough over.
 * @param snapshot from before they were counted: a change that it has not seen makes them void, even where they have it
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

/** A day whose sums hold (`group` is "kept", `key` the day), or what all those days' leads of a group came to. */
interface KeptRow extends TalliedLeads, TalliedDeliveries {}

/**
 * The sums of days that are kept and hold: nothing of their leads has changed since they were counted.
 * @returns which days, and what they came to together
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
        spend numeric, returned integer, refunded numeric, contacted integer, sold integer)
    )
    select 'kept' as "group", day::text as key, 0 as leads, '0.00' as spend, 0 as returned, '0.00' as refunded, 0 as contacted, 0 as sold,
      attempted, delivered from held
    union all
    select 'day', day::text, leads, spend::text, returned, refunded::text, contacted, sold, 0, 0 from each where "group" = 'all'
    union all
    select "group", key, sum(leads)::int, sum(spend)::text, sum(returned)::int, sum(refunded)::text, sum(contacted)::int, sum(sold)::int,
      0, 0
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
 * Forgets changes that were noted before this moment, and the sums that they have made void; also sums of another cluster, which would hold
 * again where a dump of this one is restored there. @returns how many changes
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
