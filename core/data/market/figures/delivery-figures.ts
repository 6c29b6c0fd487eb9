import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Db } from '../../database.ts'
import type { Database } from '../../schema/tables.ts'
import { countedLeads, isChosen, type CountedLeads } from './analytics.ts'

/** The leads whose deliveries are counted: those of /analytics, in one state or in all, to one webhook or to all. */
export interface CountedDeliveries extends Pick<
  CountedLeads,
  'client' | 'member' | 'zone' | 'begins' | 'ends' | 'state'
> {
  webhook?: string | undefined
}

/** The figures of the deliveries of one `group`; `key` is null for all, and for leads without a state. */
export interface DeliveryTally {
  group: 'all' | 'webhook' | 'state'
  key: string | null
  leads: number
  spend: string
  delivered: number
  failed: number
  waiting: number
  median_ms: number | null
}

/**
 * SQL on `d`: its event was sent to its webhook again, by a delivery that was not cancelled. Only a resend comes later.
 */
const isReplaced = (client: string): RawBuilder<unknown> => sql`exists (
  select from webhook_deliveries n
  where n.resend_of is not null and n.client_user_id = ${client} and n.event_id = d.event_id
    and n.webhook_config_id = d.webhook_config_id and n.state <> 'cancelled' and (n.created_at, n.id) > (d.created_at, d.id))`

/** SQL on `d`: the time until the endpoint first had the lead, however often it was sent. */
const TOOK = sql`case
  when d.state <> 'delivered' then null
  when d.resend_of is null then d.finished_at - d.created_at
  else (
    select min(o.finished_at) filter (where o.state = 'delivered') - min(o.created_at) from webhook_deliveries o
    where o.event_id = d.event_id and o.webhook_config_id = d.webhook_config_id) end`

/** SQL on `d`: a lead that a webhook gets for more than one event counts as one lead. */
const IS_FIRST = sql`(d.event_type = 'lead.assigned' or not exists (
  select from webhook_deliveries o
  where o.lead_id = d.lead_id and o.webhook_config_id = d.webhook_config_id and o.event_type = 'lead.assigned'
    and o.state <> 'cancelled'))`

/**
 * SQL: the outcomes of removed deliveries of the lead `l` (core/data/retention/remove-deliveries.ts), in one row or
 * none. A young lead has none, and nothing is looked up for it.
 */
export const pastOutcomes = (client: string): RawBuilder<unknown> => sql`(
  select o.attempted, o.delivered, o.failed from removed_outcomes o
  where l.created_at < (select removed_until from retention_progress where what = 'deliveries')
    and o.lead_id = l.id and o.client_user_id = ${client})`

/**
 * Deliveries of counted leads, and those of them that were delivered. They are the ones that {@link tallyByEndpoint}
 * counts, without what only its screen shows.
 */
export async function tallyDeliveries(
  db: Db,
  of: CountedLeads,
): Promise<{ attempted: number; delivered: number }> {
  // Each lead is looked up separately, so that nothing has to be sorted.
  const { rows } = await sql<{ attempted: number; delivered: number }>`
    /* planned for its values */ select coalesce(sum(d.attempted), 0)::int as attempted, coalesce(sum(d.delivered), 0)::int as delivered
    from (${countedLeads(of)}) l cross join lateral (
      select 1 as attempted, (d.state = 'delivered')::int as delivered from webhook_deliveries d
      where d.lead_id = l.id and d.client_user_id = ${of.client} and d.state <> 'cancelled' and not ${isReplaced(of.client)}
      union all
      select p.attempted, p.delivered from ${pastOutcomes(of.client)} p
    ) d where ${isChosen(of)}`.execute(db)
  return rows[0] ?? { attempted: 0, delivered: 0 }
}

/** Counts the deliveries of a period's leads in one pass over them. */
export async function tallyByEndpoint(db: Kysely<Database>, of: CountedDeliveries): Promise<DeliveryTally[]> {
  return await db.transaction().execute(async (trx) => {
    // Otherwise a hundred thousand deliveries would be sorted on disk.
    await sql`set local work_mem = '32MB'`.execute(trx)
    return await countDeliveries(trx, of)
  })
}

async function countDeliveries(db: Db, of: CountedDeliveries): Promise<DeliveryTally[]> {
  const { client, webhook } = of
  const toWebhook = webhook === undefined ? sql`true` : sql`d.webhook_config_id = ${webhook}::uuid`
  const count = (which: RawBuilder<unknown>) => sql`count(*) filter (where ${which})`
  const arrived = (standing: RawBuilder<unknown>) => count(sql`standing ${standing}`)
  // For one webhook, the leads that it was to get; for all webhooks, the leads that came in, sent or not.
  const cameIn =
    webhook === undefined
      ? sql`select state::text, price, true as is_lead from came`
      : sql`select state, price, is_first from sent`
  const { rows } = await sql<DeliveryTally>`
    /* planned for its values */ with came as materialized (
      select l.id, l.created_at, l.state, l.price from (${countedLeads(of)}) l where ${isChosen(of)}
    ), past as (
      -- Removed deliveries are counted for all webhooks together.
      select grouping(l.state) as is_all, l.state, sum(p.delivered) as delivered, sum(p.failed) as failed
      from came l cross join lateral ${pastOutcomes(client)} p where ${webhook === undefined}
      group by grouping sets ((), (l.state))
    ), sent as (
      select d.webhook_config_id, came.state::text, came.price, d.state as standing, ${IS_FIRST} as is_first,
        (date_part('epoch', ${TOOK}) * 1000)::int8 as took
      from came join webhook_deliveries d on d.lead_id = came.id
      where d.client_user_id = ${client} and d.state <> 'cancelled' and ${toWebhook} and not ${isReplaced(client)}
    ), ended as (
      select grouping(webhook_config_id, state) as grouped, webhook_config_id, state,
        ${arrived(sql`= 'delivered'`)} as delivered, ${arrived(sql`= 'failed'`)} as failed,
        ${arrived(sql`in ('pending', 'held')`)} as waiting, ${count(sql`is_first`)} as leads,
        sum(price) filter (where is_first) as spend, array_agg(took) filter (where took is not null) as took
      from sent group by grouping sets ((), (webhook_config_id), (state))
    ), had as (
      select grouping(state) as is_all, state, ${count(sql`is_lead`)} as leads, sum(price) filter (where is_lead) as spend
      from (${cameIn}) one (state, price, is_lead) group by grouping sets ((), (state))
    ), told as (
      select 'webhook' as "group", webhook_config_id::text as key, leads, spend, delivered, failed, waiting, took
      from ended where grouped = 1
      union all
      select case had.is_all when 1 then 'all' else 'state' end, had.state, had.leads, had.spend,
        coalesce(ended.delivered, 0) + coalesce(past.delivered, 0), coalesce(ended.failed, 0) + coalesce(past.failed, 0), waiting, took
      from had left join ended on grouped = case had.is_all when 1 then 3 else 2 end and ended.state is not distinct from had.state
        left join past on past.is_all = had.is_all and past.state is not distinct from had.state
    )
    select "group", key, leads::int, coalesce(spend, 0)::numeric(16, 2)::text as spend, coalesce(delivered, 0)::int as delivered,
      coalesce(failed, 0)::int as failed, coalesce(waiting, 0)::int as waiting, (
        select percentile_disc(0.5) within group (order by ms) from unnest(took) as ms)::int as median_ms
    from told order by leads desc, key`.execute(db)
  return rows
}

/** SQL: the counted deliveries `d` that finally failed, with their lead `l`; the queue of failures shows them. */
export function failedDeliveries(of: CountedDeliveries): RawBuilder<unknown> {
  const { client, webhook } = of
  return sql`
    webhook_deliveries d join (${countedLeads(of)}) l on l.id = d.lead_id
    where d.client_user_id = ${client} and d.state = 'failed' and ${isChosen(of)}
      and ${webhook === undefined ? sql`true` : sql`d.webhook_config_id = ${webhook}::uuid`} and not ${isReplaced(client)}`
}

/** More webhooks than a client can have. */
const NAMED = 1000

/** The names of a client's webhooks, or of the one in question. */
export async function nameWebhooks(
  db: Db,
  { client, member, webhook }: CountedDeliveries,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, webhook_name as name from client_webhook_configs
    where client_user_id = ${client} and ${webhook === undefined ? sql`true` : sql`id = ${webhook}::uuid`}
      and ${member === undefined ? sql`true` : sql`member_user_id = ${member}`}
    order by lower(webhook_name), id limit ${NAMED}`.execute(db)
  return rows
}
