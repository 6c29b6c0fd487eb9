import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Db } from '../../database.ts'
import type { Database } from '../../schema/tables.ts'
import { IS_SALE, isPaidBack } from './sales-and-credits.ts'

/**
 * The counted leads of a client: those that the client has, and those that went on to other clients. They came in from
 * `begins` until before `ends`, narrowed by filters.
 */
export interface CountedLeads {
  client: string
  /** only this agent's */
  member?: string | undefined
  zone: string
  begins: Date
  ends: Date
  order?: string | undefined
  state?: string | undefined
  lead_type?: string | undefined
  source?: string | undefined
}

/** The dispositions that mean that the person was spoken to, and those that mean a purchase. */
export interface Reached {
  contacted: readonly string[]
  sold: readonly string[]
}

/**
 * The figures of the leads of one `group` (all, day, hour, state, disposition, lead_type, source, order_id); `key` is
 * null for the group all, and for leads without a value. There is a row for each key of the period, also if the filters
 * exclude all its leads, so that the filters can offer the key.
 */
export interface TalliedLeads {
  group: string
  key: string | null
  leads: number
  spend: string
  returned: number
  refunded: string
  contacted: number
  sold: number
  revenue: string
}

/**
 * Every time zone's offset is a multiple of this, so each quarter of an hour belongs to one hour, and one day, in every
 * zone.
 */
const QUARTER = sql`date_bin('15 minutes', created_at, '2000-01-01 00:00+00')`
const TOTALS = sql`sum(leads)::int as leads, coalesce(sum(spend), 0)::numeric(16, 2)::text as spend, sum(returned)::int as returned,
  coalesce(sum(refunded), 0)::numeric(16, 2)::text as refunded, sum(contacted)::int as contacted, sum(sold)::int as sold,
  coalesce(sum(revenue), 0)::numeric(16, 2)::text as revenue`
/** SQL: a row counts once by its time and once by its properties. */
const EACH_WAY = sql`(values (true), (false)) as each_way (is_of_time)`

/**
 * Counts the leads of a period in one pass over the client's own index. They are counted by quarters of an hour and by
 * their properties, and those counts are summed: a hundred thousand leads make a few thousand counts. Test leads do not
 * count.
 */
export async function tallyLeads(
  db: Kysely<Database>,
  of: CountedLeads,
  reached: Reached,
): Promise<TalliedLeads[]> {
  return await db.transaction().execute(async (trx) => {
    // Otherwise a hundred thousand leads would be sorted on disk.
    await sql`set local work_mem = '32MB'`.execute(trx)
    return await countLeads(trx, of, reached)
  })
}

async function countLeads(db: Db, of: CountedLeads, reached: Reached): Promise<TalliedLeads[]> {
  const count = (which: RawBuilder<unknown>) => sql`count(*) filter (where is_chosen and ${which})`
  const isSold = sql`disposition = any(${[...reached.sold]}::text[])`
  const isInSpan = (id: RawBuilder<unknown>) =>
    sql`${id} between (select first from span) and (select last from span)`
  const { rows } = await sql<TalliedLeads>`
    /* planned for its values */ with came as materialized (
      select l.id, ${QUARTER} as quarter, l.state, l.lead_type, l.source, l.order_id, l.price, ${isChosen(of)} as is_chosen
      from (${countedLeads(of)}) l
    ), span as materialized (
      -- Ids are given in the order in which leads come, so those of older and of younger leads are passed over.
      select (select id from came order by id limit 1) as first, (select id from came order by id desc limit 1) as last
    ), worked as (
      select id, lead_id, disposition from lead_assignments
      where state = 'active' and client_user_id = ${of.client} and ${isInSpan(sql`lead_id`)}
    ), told as (
      select distinct on (lead_id, assignment_id) assignment_id, amount from lead_outcomes
      where client_user_id = ${of.client} and ${IS_SALE} and ${isInSpan(sql`lead_id`)}
      order by lead_id, assignment_id, id desc
    ), counted as materialized (
      select grouping(quarter) = 0 as is_of_time, quarter, state, disposition, lead_type, source, order_id,
        count(*) filter (where is_chosen) as leads, sum(price) filter (where is_chosen) as spend, 0 as returned, 0.00 as refunded,
        ${count(sql`disposition = any(${[...reached.contacted]}::text[])`)} as contacted,
        ${count(isSold)} as sold, coalesce(sum(amount) filter (where is_chosen and ${isSold}), 0) as revenue
      from came left join worked on worked.lead_id = came.id left join told on told.assignment_id = worked.id
      group by grouping sets ((quarter), (state, disposition, lead_type, source, order_id))
      union all
      -- Few, and nobody works any more what he gave back.
      select is_of_time, quarter, state, null, lead_type, source, order_id, 0, 0.00, 1, price, 0, 0, 0.00
      from lead_returns r join came on came.id = r.lead_id and is_chosen cross join ${EACH_WAY}
      where r.status = 'approved' and r.client_user_id = ${of.client}
      union all
      -- A return pays back the rest of the price, and counts whole.
      select is_of_time, l.quarter, l.state, null, l.lead_type, l.source, l.order_id, 0, 0.00, 0, late.price, 0, 0, 0.00
      from late_leads late join came l on l.id = late.lead_id and l.is_chosen cross join ${EACH_WAY}
      where late.credit = 'credited' and late.client_user_id = ${of.client} and ${isInSpan(sql`late.lead_id`)}
        and not ${isPaidBack(of.client)}
    ), of_time as (
      select to_char(local, 'YYYY-MM-DD') as day, extract(hour from local)::int::text as hour, counted.*
      from counted cross join lateral (select quarter at time zone ${of.zone} as local) here where is_of_time
    )
    select case grouping(day, hour) when 3 then 'all' when 1 then 'day' else 'hour' end as "group", coalesce(day, hour) as key, ${TOTALS}
    from of_time group by grouping sets ((), (day), (hour)) having count(*) > 0
    union all
    select case grouping(state, disposition, lead_type, source, order_id)
        when 15 then 'state' when 23 then 'disposition' when 27 then 'lead_type' when 29 then 'source' else 'order_id' end,
      coalesce(state::text, disposition, lead_type, source, order_id::text), ${TOTALS}
    from counted where not is_of_time group by grouping sets ((state), (disposition), (lead_type), (source), (order_id))
  `.execute(db)
  return rows
}

/** The names of a client's or an agent's orders, deleted ones too. */
export async function nameOrders(
  db: Db,
  { client, member }: Pick<CountedLeads, 'client' | 'member'>,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from orders where client_user_id = ${client} and id = any(${[...ids]}::uuid[])
      and ${member === undefined ? sql`true` : sql`member_user_id = ${member}`}
    order by lower(name), id`.execute(db)
  return rows
}

/**
 * Leads as the client had them: for a lead that went on to another client, its values at that time. A client cannot
 * have a lead before it came.
 */
export function countedLeads({ client, member, begins, ends }: CountedLeads): RawBuilder<unknown> {
  const isTheirs = member === undefined ? sql`true` : sql`l.member_user_id = ${member}`
  // An agent's lead that was returned is nobody's any more, and its assignment names the agent.
  const wasTheirs =
    member === undefined
      ? sql`past.state = 'revoked'`
      : sql`past.state <> 'active' and past.member_user_id = ${member}`
  const isWithin = sql`l.created_at >= ${begins} and l.created_at < ${ends} and not l.is_test`
  return sql`
    select l.id, l.created_at, l.state, l.lead_type, l.source, l.order_id, l.price_charged as price from leads l
    where l.assigned_to = ${client} and ${isTheirs} and ${isWithin}
    union all
    select l.id, l.created_at, l.state, l.lead_type, l.source, past.order_id, past.price
    from lead_assignments past cross join lateral (select * from leads where leads.id = past.lead_id offset 0) l
    where past.client_user_id = ${client} and past.assigned_at >= ${begins} and ${wasTheirs} and ${isWithin}`
}

export function isChosen({ order, state, lead_type: type, source }: CountedLeads): RawBuilder<unknown> {
  const conditions = [sql`true`]
  if (order !== undefined) conditions.push(sql`l.order_id = ${order}::uuid`)
  if (state !== undefined) conditions.push(sql`l.state = ${state}`)
  if (type !== undefined) conditions.push(sql`l.lead_type = ${type}`)
  if (source !== undefined) conditions.push(sql`l.source = ${source}`)
  return sql.join(conditions, sql` and `)
}
