import { sql } from 'kysely'
import type { OrderToChoose } from '#core/domain/market/orders/judge-order.ts'
import type { Decision } from '#core/domain/market/choice/decide-leads.ts'
import type { Db } from '../../database.ts'
import { IS_FOR_SALE } from './offered-leads.ts'

/** A sold lead: its assignment, its event, and the client's new balance. */
export interface Sale {
  lead_id: string
  client_user_id: string
  order_id: string
  assignment_id: string
  event_id: string
}

/**
 * Writes sales: assignment, debit, lead and `lead.assigned`. The caller holds the locks of leads, orders and profiles.
 * @param sold the orders as they are after the sales
 */
export async function recordSales(
  trx: Db,
  decisions: readonly Decision<OrderToChoose>[],
  sold: readonly OrderToChoose[],
): Promise<Sale[]> {
  const sales = decisions.flatMap(({ lead, choice }) =>
    choice?.chosen === undefined
      ? []
      : {
          lead_id: lead.id,
          client_user_id: choice.chosen.order.client_user_id,
          order_id: choice.chosen.order.id,
          cents: choice.chosen.price,
          // Left out, it is null.
          ...(choice.chosen.order.member_user_id !== null && {
            member_user_id: choice.chosen.order.member_user_id,
          }),
        },
  )
  if (sales.length === 0) return []
  const recorded = sql<Sale>`
    with sold as materialized (
      select lead_id, client_user_id, order_id, (cents / 100.0)::numeric(10, 2) as price, member_user_id
      from jsonb_to_recordset(${JSON.stringify(sales)}::jsonb)
        as s (lead_id uuid, client_user_id uuid, order_id uuid, cents bigint, member_user_id uuid)
    ), changed as (
      update leads set status = 'assigned', assigned_to = sold.client_user_id, assigned_at = now(), order_id = sold.order_id,
        member_user_id = sold.member_user_id, price_charged = sold.price, expires_at = null, updated_at = now()
      from sold where leads.id = sold.lead_id
    ), recorded as materialized (
      select (record.assignment).*, record.event_id from (
        select array_agg(row(lead_id, 'assigned', null, 'assigned', client_user_id, order_id, price)::judged_assignment) as verdicts
        from sold
      ) asked cross join lateral record_assignments(asked.verdicts) record
    ), debited as (
      insert into balance_ledger (client_user_id, entry_type, amount, reference_type, reference_id)
      select client_user_id, 'lead_purchase', -price, 'assignment', id::text from recorded order by client_user_id, id
    )
    select lead_id, client_user_id, order_id, id as assignment_id, event_id from recorded
  `.execute(trx)
  const [{ rows }] = await Promise.all([recorded, recordTallies(trx, sold)])
  return rows
}

async function recordTallies(trx: Db, sold: readonly OrderToChoose[]): Promise<void> {
  const tallies = sold.map(({ id, tally, last_assigned_at }) => ({ ...tally, id, last_assigned_at }))
  await sql`
    update order_tallies t set day = n.day, day_leads = n.day_leads, day_spent = n.day_spent / 100.0, week = n.week,
      week_leads = n.week_leads, month = n.month, month_leads = n.month_leads, month_spent = n.month_spent / 100.0,
      total_leads = n.total_leads, last_assigned_at = n.last_assigned_at
    from jsonb_to_recordset(${JSON.stringify(tallies)}::jsonb) as n (id uuid, day date, day_leads integer, day_spent bigint,
      week date, week_leads integer, month date, month_leads integer, month_spent bigint, total_leads integer,
      last_assigned_at timestamptz)
    where t.order_id = n.id
  `.execute(trx)
}

/**
 * Writes the decision about each lead, and the status of unsold leads. The timeline shows it once for each change of
 * reason. An event of an older version names no reason; there the reason was that no order existed.
 */
export async function recordDecisions(
  trx: Db,
  decisions: readonly Decision<OrderToChoose>[],
  holdHours: number,
): Promise<void> {
  const rows = decisions.map(({ lead, outcome, reason, duplicate_of, choice }) => ({
    lead_id: lead.id,
    outcome,
    reason,
    duplicate_of,
    order_id: choice?.chosen?.order.id ?? null,
    client_user_id: choice?.chosen?.order.client_user_id ?? null,
    refused: choice?.refused ?? {},
    told: choice?.told ?? null,
  }))
  await sql`
    with decided as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (lead_id uuid, outcome text, reason text,
        duplicate_of uuid, order_id uuid, client_user_id uuid, refused jsonb, told jsonb)
    ), told as (
      insert into events (type, lead_id, data, enqueued_at, planned_at)
      select 'lead.unassigned', d.lead_id, jsonb_build_object('reason', d.reason), now(), now()
      from decided d join leads l on l.id = d.lead_id left join assignment_decisions before on before.lead_id = d.lead_id
      where d.outcome <> 'assigned'
        and coalesce(before.reason, case when l.status = 'unassigned' then 'no_matching_order' end) is distinct from d.reason
    ), changed as (
      update leads l set status = case d.outcome when 'no_buyer' then 'unassigned' else d.outcome end,
        duplicate_of = d.duplicate_of, reject_reason = case when d.outcome = 'rejected' then d.reason end,
        expires_at = case when d.outcome = 'no_buyer'
          then coalesce(l.expires_at, l.created_at + make_interval(hours => ${holdHours})) end,
        updated_at = now()
      from decided d where l.id = d.lead_id and d.outcome <> 'assigned'
        -- One that nobody wants again, as long as it is held, stays as it is.
        and (d.outcome <> 'no_buyer' or l.status <> 'unassigned' or l.expires_at is null
          or l.duplicate_of is not null or l.reject_reason is not null)
    )
    insert into assignment_decisions (lead_id, outcome, reason, order_id, client_user_id, refused, told)
    select lead_id, outcome, reason, order_id, client_user_id, refused, told from decided
    on conflict (lead_id) do update set outcome = excluded.outcome, reason = excluded.reason, order_id = excluded.order_id,
      client_user_id = excluded.client_user_id, refusals = excluded.refusals, refused = excluded.refused, told = excluded.told,
      tries = assignment_decisions.tries + 1, decided_at = now()
  `.execute(trx)
}

/**
 * Marks the offers of these leads as handled. If a lead was not for sale but is now, it was offered since, and that
 * offer stays.
 * @param decided the leads about which a decision was made
 */
export async function markOffersTaken(
  trx: Db,
  leadIds: readonly string[],
  decided: readonly string[],
): Promise<void> {
  await sql`
    update events set planned_at = now(), enqueued_at = coalesce(enqueued_at, now())
    where id = any(array(
      select id from events where lead_id = any(${[...leadIds]}::uuid[]) and type = 'lead.offered'
        and coalesce(planned_at, 'infinity') = 'infinity'
        and (lead_id = any(${[...decided]}::uuid[])
          or not exists (select from leads l where l.id = events.lead_id and ${IS_FOR_SALE}))
      order by id for update))
  `.execute(trx)
}
