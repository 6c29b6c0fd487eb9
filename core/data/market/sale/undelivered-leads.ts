import { sql } from 'kysely'
import type { UndeliveredLead } from '#core/domain/market/judge-undelivered.ts'
import type { Db } from '../../database.ts'
import { IS_SET_ASIDE } from '../../webhooks/deliveries/offered-deliveries.ts'
import { hasArrived, isLeaving } from './arrived-leads.ts'

/** A note that a delivery of a lead has finally failed. */
export interface UndeliveredNote {
  id: string
  assignment_id: string
}

/**
 * Claims notes that are due. No other worker takes them for 15 s, and for longer if they have waited longer. A note
 * that is not settled by then becomes due again.
 */
export async function claimUndelivered(db: Db, limit: number): Promise<UndeliveredNote[]> {
  const { rows } = await sql<UndeliveredNote>`
    update undelivered_leads
    set due_at = now() + least(interval '15 seconds' + (now() - noted_at) / 4, interval '6 hours')
    where id = any(array(
      select id from undelivered_leads where due_at <= now() order by due_at limit ${limit} for update skip locked))
    returning id, assignment_id
  `.execute(db)
  return rows
}

export async function forgetUndelivered(trx: Db, id: string): Promise<void> {
  await sql`delete from undelivered_leads where id = ${id}`.execute(trx)
}

/** The client that has the lead. Nothing is locked. */
export interface Holding {
  lead_id: string
  client_user_id: string
}

export async function findHolding(db: Db, assignmentId: string): Promise<Holding | undefined> {
  const { rows } = await sql<Holding>`
    select lead_id, client_user_id from lead_assignments where id = ${assignmentId}`.execute(db)
  return rows[0]
}

/**
 * The facts that decide about the lead of an order's assignment; the caller holds the locks of the lead and of its
 * client's webhooks.
 */
export async function readUndelivered(
  trx: Db,
  assignmentId: string,
  holdHours: number,
): Promise<UndeliveredLead | undefined> {
  const { rows } = await sql<UndeliveredLead>`
    select clock_timestamp() as at, o.when_undelivered as policy, a.assigned_at,
      a.state = 'active' and l.redacted_at is null and u.deleted_at is null as is_held,
      exists (select from lead_returns r where r.assignment_id = a.id) as has_request,
      exists (select from events e where e.lead_id = l.id and e.type = 'lead.assigned' and e.client_user_id = a.client_user_id
          and coalesce(e.planned_at, 'infinity') <> 'infinity')
        and not exists (select from events e where e.lead_id = l.id and e.type = 'lead.given' and e.client_user_id = a.client_user_id
          and coalesce(e.planned_at, 'infinity') = 'infinity') as is_planned,
      ${hasArrived(sql`l.id`, sql`a.client_user_id`)} as has_arrived, d.failed,
      d.is_waiting or ${isLeaving(sql`l.id`, sql`a.client_user_id`)} as is_waiting, l.created_at + make_interval(hours => ${holdHours}) as held_until,
      (select count(*)::int from leads b where b.assigned_to = a.client_user_id and b.created_at > now() - interval '37 days'
        and b.assigned_at > now() - interval '30 days' and b.price_charged > 0) + t.passed_on as bought,
      t.taken_back
    from lead_assignments a
    join orders o on o.id = a.order_id
    join leads l on l.id = a.lead_id
    join auth.users u on u.id = a.client_user_id
    cross join lateral (
      select count(*) filter (where d.state = 'failed')::int as failed,
        coalesce(bool_or(d.state in ('pending', 'held') and not ${IS_SET_ASIDE}), false) as is_waiting
      from webhook_deliveries d
      where d.lead_id = l.id and d.client_user_id = a.client_user_id and d.event_type = 'lead.assigned'
    ) d
    cross join lateral (
      select count(*)::int as taken_back, count(*) filter (where before.state = 'revoked')::int as passed_on
      from lead_returns r join lead_assignments before on before.id = r.assignment_id
      where r.client_user_id = a.client_user_id and r.asked_by = 'system' and r.created_at > now() - interval '30 days'
    ) t
    where a.id = ${assignmentId}
  `.execute(trx)
  return rows[0]
}

/**
 * Has a lead that was taken back offered to others, under its lock: it belongs to no client, and is held as long as an
 * unsold lead.
 * @returns the event of the offer
 */
export async function offerTakenBack(
  trx: Db,
  leadId: string,
  holdHours: number,
  reason: string,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with changed as (
      update leads set status = 'unassigned', assigned_to = null, assigned_at = null, member_user_id = null, order_id = null,
        price_charged = null, expires_at = created_at + make_interval(hours => ${holdHours}), updated_at = now()
      where id = ${leadId}
    ), decided as (
      update assignment_decisions set outcome = 'no_buyer', reason = ${reason}, order_id = null, client_user_id = null,
        refusals = '{}', refused = '{}', told = null, decided_at = now()
      where lead_id = ${leadId}
    )
    insert into events (type, lead_id) values ('lead.offered', ${leadId}) returning id
  `.execute(trx)
  const [event] = rows
  if (event === undefined) throw new Error('PostgreSQL kept no event')
  return event.id
}
