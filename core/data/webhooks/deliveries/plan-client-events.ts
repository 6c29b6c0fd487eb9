import { sql } from 'kysely'
import { CLIENT_EVENTS } from '#core/contract/events.ts'
import type { Db } from '#core/data/database.ts'
import type { DueDelivery, EventToPlan } from './plan-deliveries.ts'

/**
 * Plans the deliveries of events beside the lead: one for each active webhook of the client that has chosen the event,
 * all in one statement. A webhook that is off gets none and is offered none later. A person's own webhook gets only
 * events of leads that this person has, or had when the client lost them. What happens to a webhook is told to the
 * others. Conditions and sending hours are about leads, and do not count. Safe to run twice: a planned event returns
 * its due deliveries that still wait for their first attempt. Events of other types are left alone.
 * @param patienceMs how long it may wait for a lock; after that it fails with 55P03, and nothing is planned
 */
export async function planClientEvents(
  db: Db,
  events: readonly EventToPlan[],
  patienceMs: number,
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with patience as materialized (select set_config('lock_timeout', ${`${patienceMs}ms`}, true)
    ), asked as (
      select e.id, e.type, e.lead_id, e.client_user_id, e.data, e.created_at, t.turn
      from patience cross join unnest(${events.map((event) => event.event_id)}::uuid[], ${events.map(({ turn }) => turn)}::int[])
        as t (id, turn) join events e on e.id = t.id
      where coalesce(e.planned_at, 'infinity') = 'infinity' and e.type = any(${[...CLIENT_EVENTS]}::text[])
      order by e.id for update of e
    ), planned as (
      update events e set planned_at = now(), enqueued_at = coalesce(e.enqueued_at, now()), failures = 0, failed_at = null
      from asked where e.id = asked.id
      returning asked.*
    ), there as (
      -- One that is being deleted is waited for and left out; its reference would make PostgreSQL refuse the whole batch.
      select p.id as event_id, p.type, p.turn, c.id as webhook_config_id, c.client_user_id
      from planned p join client_webhook_configs c on c.client_user_id = p.client_user_id
      where p.type = any(c.events) and c.is_active and c.created_at <= p.created_at
        and (p.type not like 'webhook.%' or p.data ->> 'webhook_id' is distinct from c.id::text)
        and (c.member_user_id is null or c.member_user_id in (
          select a.member_user_id from lead_assignments a
          where a.lead_id = p.lead_id and a.client_user_id = p.client_user_id and a.state <> 'active'
          union all
          select l.member_user_id from leads l where l.id = p.lead_id and l.assigned_to = p.client_user_id))
      order by c.id for key share of c
    ), made as (
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, turn)
      select event_id, type, webhook_config_id, client_user_id, event_id, turn from there
      on conflict do nothing
      returning id as delivery_id, webhook_config_id, client_user_id, turn
    )
    select delivery_id, webhook_config_id, client_user_id, turn, 1 as attempt from made
    union all
    select d.id, d.webhook_config_id, d.client_user_id, d.turn, 1 from webhook_deliveries d
    where d.event_id = any(${events.map((event) => event.event_id)}::uuid[]) and d.resend_of is null
      and case d.state when 'pending' then d.attempt = 0 and d.next_attempt_at <= now() else false end
  `.execute(db)
  return rows
}
