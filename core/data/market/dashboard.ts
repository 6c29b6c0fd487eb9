import { sql, type RawBuilder } from 'kysely'
import { ADMINISTRATION_ZONE } from '#core/contract/market/administration-zone.ts'
import type { Db } from '../database.ts'

export async function readTimeZone(db: Db, userId: string): Promise<string> {
  const { rows } = await sql<{ timezone: string }>`
    select timezone from client_accounts where user_id = ${userId}`.execute(db)
  return rows[0]?.timezone ?? ADMINISTRATION_ZONE
}

export interface DayOfLeads {
  /** `YYYY-MM-DD` */
  date: string
  begins_at: Date
  leads: number
}

/** The client, and the agent if only the agent's leads count. */
interface Whose {
  user_id: string
  member_user_id?: string | undefined
}

/** Counts the leads that the client or agent can see by the day they came, today last. */
export async function countLeadsByDay(
  db: Db,
  whose: Whose,
  zone: string,
  days: number,
): Promise<DayOfLeads[]> {
  const { rows } = await sql<DayOfLeads>`
    with span as (
      select today, ((today - ${days - 1}::int)::timestamp at time zone ${zone}) as begins_at
      from (select (now() at time zone ${zone})::date as today) clock
    ), counted as (${countSince(whose, sql`(created_at at time zone ${zone})::date`)})
    select to_char(d.day, 'YYYY-MM-DD') as date, (d.day::timestamp at time zone ${zone}) as begins_at,
      coalesce((select sum(c.leads)::int from counted c where c.part = d.day), 0) as leads
    from (select (today - n)::date as day from span, generate_series(0, ${days - 1}::int) n) d
    order by d.day
  `.execute(db)
  return rows
}

export interface HourOfLeads {
  begins_at: Date
  leads: number
}

/** Counts the same leads by the hour they came, the present hour last. Hours begin as those of the zone's wall clock. */
export async function countLeadsByHour(
  db: Db,
  whose: Whose,
  zone: string,
  hours: number,
): Promise<HourOfLeads[]> {
  const { rows } = await sql<HourOfLeads>`
    with span as (
      select last, last - make_interval(hours => ${hours - 1}::int) as begins_at from (
        select date_bin('1 hour', now(), date_trunc('day', now() at time zone ${zone}) at time zone ${zone}) as last) clock
    ), counted as (${countSince(whose, sql`date_bin('1 hour', created_at, (select last from span))`)})
    select h.hour as begins_at, coalesce((select sum(c.leads)::int from counted c where c.part = h.hour), 0) as leads
    from span, generate_series(span.begins_at, span.last, interval '1 hour') as h (hour)
    order by h.hour
  `.execute(db)
  return rows
}

/**
 * SQL: counts by `part` of the leads since `begins_at` of `span`. Leads assigned to the client are many: the index alone
 * gives their times, and test leads are subtracted. The client's own leads that are assigned to nobody or to another
 * client are few, and so are those that went on to other clients.
 */
function countSince(
  { user_id: userId, member_user_id: member }: Whose,
  part: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const theirs = member === undefined ? sql`true` : sql`member_user_id = ${member}`
  const recent = sql`created_at >= (select begins_at from span) and ${theirs}`
  const wasTheirs =
    member === undefined
      ? sql`past.state = 'revoked' and assigned_to is distinct from ${userId} and user_id is distinct from ${userId}`
      : sql`past.state <> 'active' and past.member_user_id = ${member}`
  return sql`
      select ${part} as part, count(*) as leads from leads where assigned_to = ${userId} and ${recent} group by 1
      union all
      select ${part}, -count(*) from leads where assigned_to = ${userId} and is_test and ${recent} group by 1
      union all
      select ${part}, count(*) from leads
      where user_id = ${userId} and user_id is not null and assigned_to is distinct from user_id and not is_test and ${recent} group by 1
      union all
      select ${part}, count(*)
      from lead_assignments past cross join lateral (select * from leads where leads.id = past.lead_id offset 0) passed_on
      where past.client_user_id = ${userId} and past.assigned_at >= (select begins_at from span) and ${wasTheirs} and not is_test
        and passed_on.created_at >= (select begins_at from span) group by 1`
}
