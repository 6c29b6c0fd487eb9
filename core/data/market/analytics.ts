import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'

/** Which leads are counted: those that the client has, and those that went on to others after him, that came in from `begins` until before `ends`, narrowed. */
export interface CountedLeads {
  client: string
  zone: string
  begins: Date
  ends: Date
  order?: string | undefined
  state?: string | undefined
  lead_type?: string | undefined
  source?: string | undefined
}

/** Which dispositions mean that somebody was spoken to, and that he bought. */
export interface Reached {
  contacted: readonly string[]
  sold: readonly string[]
}

/**
 * What the leads of one `group` (all, day, hour, state, disposition, lead_type, source, order_id) came to; `key` is null of all, and
 * where leads have none. There is a row for each key of the period, also where its leads are narrowed away: by what it can be narrowed.
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
}

/** Everything about the leads of a period in one pass over the client's own index. Test leads count nowhere. */
export async function tallyLeads(db: Db, of: CountedLeads, reached: Reached): Promise<TalliedLeads[]> {
  const count = (which: RawBuilder<unknown>) => sql`count(*) filter (where chosen and ${which})::int`
  const dollars = (which: RawBuilder<unknown>) =>
    sql`coalesce(sum(price) filter (where chosen and ${which}), 0)::numeric(16, 2)::text`
  const { rows } = await sql<TalliedLeads>`
    /* planned for its values */ with came as (
      select (l.created_at at time zone ${of.zone}) as local, l.state::text as state, l.lead_type, l.source, l.order_id,
        l.price, a.disposition, r.lead_id is not null as is_returned, ${isChosen(of)} as chosen
      from (${countedLeads(of)}) l
      left join lead_assignments a on a.lead_id = l.id and a.state = 'active' and a.client_user_id = ${of.client}
      left join lead_returns r on r.lead_id = l.id and r.status = 'approved' and r.client_user_id = ${of.client}
    ), tallied as (
      select grouping(day, hour, state, disposition, lead_type, source, order_id) as absent,
        day, hour, state, disposition, lead_type, source, order_id,
        ${count(sql`true`)} as leads, ${dollars(sql`true`)} as spend,
        ${count(sql`is_returned`)} as returned, ${dollars(sql`is_returned`)} as refunded,
        ${count(sql`disposition = any(${[...reached.contacted]}::text[])`)} as contacted,
        ${count(sql`disposition = any(${[...reached.sold]}::text[])`)} as sold
      from (select *, to_char(local, 'YYYY-MM-DD') as day, extract(hour from local)::int::text as hour from came) l
      group by grouping sets ((), (day), (hour), (state), (disposition), (lead_type), (source), (order_id))
    )
    select case absent when 127 then 'all' when 63 then 'day' when 95 then 'hour' when 111 then 'state'
        when 119 then 'disposition' when 123 then 'lead_type' when 125 then 'source' else 'order_id' end as "group",
      coalesce(day, hour, state, disposition, lead_type, source, order_id::text) as key,
      leads, spend, returned, refunded, contacted, sold
    from tallied`.execute(db)
  return rows
}

/** Of the same leads: of how many anything was sent to a webhook, and of how many every webhook took what it was sent. */
export async function tallyDeliveries(
  db: Db,
  of: CountedLeads,
): Promise<{ attempted: number; delivered: number }> {
  // What failed and was sent again counts as it is now.
  const { rows } = await sql<{ attempted: number; delivered: number }>`
    /* planned for its values */ select count(*)::int as attempted, count(*) filter (where is_delivered)::int as delivered
    from (
      select bool_and(d.state = 'delivered') as is_delivered
      from (${countedLeads(of)}) l join webhook_deliveries d on d.lead_id = l.id
      where ${isChosen(of)} and d.client_user_id = ${of.client} and d.attempt > 0 and d.state <> 'cancelled'
        and (d.state <> 'failed' or not exists (
          select from webhook_deliveries n
          where n.event_id = d.event_id and n.webhook_config_id = d.webhook_config_id and n.state <> 'cancelled'
            and (n.created_at, n.id) > (d.created_at, d.id)))
      group by l.id
    ) of_lead`.execute(db)
  return rows[0] ?? { attempted: 0, delivered: 0 }
}

/** What orders of a client are called, deleted ones too. */
export async function nameOrders(
  db: Db,
  client: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from orders where client_user_id = ${client} and id = any(${[...ids]}::uuid[])
    order by lower(name), id`.execute(db)
  return rows
}

/** As the client had them: of what went on to others, what it was to him. Nobody has a lead before it came. */
function countedLeads({ client, begins, ends }: CountedLeads): RawBuilder<unknown> {
  const isWithin = sql`l.created_at >= ${begins} and l.created_at < ${ends} and not l.is_test`
  return sql`
    select l.id, l.created_at, l.state, l.lead_type, l.source, l.order_id, l.price_charged as price from leads l
    where l.assigned_to = ${client} and ${isWithin}
    union all
    select l.id, l.created_at, l.state, l.lead_type, l.source, past.order_id, past.price
    from lead_assignments past cross join lateral (select * from leads where leads.id = past.lead_id offset 0) l
    where past.client_user_id = ${client} and past.state = 'revoked' and past.assigned_at >= ${begins}
      and l.assigned_to is distinct from ${client} and ${isWithin}`
}

function isChosen({ order, state, lead_type: type, source }: CountedLeads): RawBuilder<unknown> {
  const conditions = [sql`true`]
  if (order !== undefined) conditions.push(sql`l.order_id = ${order}::uuid`)
  if (state !== undefined) conditions.push(sql`l.state = ${state}`)
  if (type !== undefined) conditions.push(sql`l.lead_type = ${type}`)
  if (source !== undefined) conditions.push(sql`l.source = ${source}`)
  return sql.join(conditions, sql` and `)
}
