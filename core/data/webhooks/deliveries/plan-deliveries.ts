import { sql } from 'kysely'
import { DELIVERABLE_EVENTS } from '#core/contract/events.ts'
import type { Db } from '#core/data/database.ts'

/**
 * A delivery that is to be attempted, as its job names it. `attempt` is the one to make, from 1; `turn` whether it may go at
 * once or gives way (core/fairness/turns.ts).
 */
export interface DueDelivery {
  delivery_id: string
  webhook_config_id: string
  /** who waits behind himself with it (core/fairness/slot-share.ts) */
  client_user_id: string
  attempt: number
  turn: number
  /** the trace that its job continues (core/telemetry/tracing.ts) */
  trace?: string | undefined
  /** it tries whether an endpoint is back, and stands behind nobody's retries (core/data/webhooks/health/breakers.ts) */
  probe?: boolean
}

/** An event that is to be planned, and the turn that its deliveries have. */
export interface EventToPlan {
  event_id: string
  turn: number
}

/**
 * Plans the deliveries of events: one for each matching active configuration, all in one statement, so that an event is
 * planned whole or not at all. One that the system has switched off gets its delivery too, but held, so that its owner can
 * have it sent when it is on again; one that its owner switched off gets none.
 * Who matches (docs/contract.md §5): `lead.created` goes to the client that owns the lead and to every administrator, whoever
 * owns it; for a marketplace lead to administrators alone. `lead.assigned` goes to the client it was assigned to.
 * An event of another type is left as it is: whoever consumes it has yet to come.
 * Safe to run twice: a planned event answers with its deliveries that still wait for their first attempt.
 */
export async function planDeliveries(
  db: Db,
  events: readonly EventToPlan[],
): Promise<Array<DueDelivery & { event_id: string }>> {
  const turns = new Map(events.map(({ event_id: id, turn }) => [id, turn]))
  const ids = [...turns.keys()].toSorted()
  // Conditions on planned_at and state are spelt so that no partial index answers them: those hold everything that waits
  // and the dead entries of what did, and rows are looked up by id here.
  const { rows } = await sql<DueDelivery & { event_id: string }>`
    with asked as (
      select * from unnest(${ids}::uuid[], ${ids.map((id) => turns.get(id) ?? 0)}::int[]) as t (id, turn)
    ), planned as (
      update events e set planned_at = now(), enqueued_at = coalesce(enqueued_at, now()), failures = 0, failed_at = null
      from asked where e.id = asked.id and coalesce(planned_at, 'infinity') = 'infinity'
        and e.type = any(${[...DELIVERABLE_EVENTS]}::text[])
      returning e.id, e.type, e.lead_id, e.client_user_id, asked.turn
    ), listening as (
      -- Two ways to configurations, each by an index; one condition with "or" would look at every configuration there is.
      select e.id as event_id, c.id as webhook_config_id
      from planned e join client_webhook_configs c on c.client_user_id = e.client_user_id
      union all
      select e.id, c.id
      from planned e
      join profiles p on p.role = 'admin' and p.status = 'active' and p.user_id is distinct from e.client_user_id
      join client_webhook_configs c on c.client_user_id = p.user_id
      where e.type = 'lead.created'
    ), there as (
      -- One that is being deleted is waited for and left out; its reference would make PostgreSQL refuse the whole batch.
      select listening.event_id, c.id, c.client_user_id, c.is_active, c.disabled_at, c.trigger_on_lead_created,
        c.trigger_on_lead_assigned
      from listening join client_webhook_configs c on c.id = listening.webhook_config_id
      order by c.id for key share of c
    ), made as (
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, turn, state,
        next_attempt_at)
      select e.id, e.type, c.id, c.client_user_id, e.lead_id, e.turn,
        case when c.is_active then 'pending' else 'held' end, case when c.is_active then now() end
      from planned e join there c on c.event_id = e.id
      where (c.is_active or c.disabled_at is not null) and case e.type
        when 'lead.created' then c.trigger_on_lead_created
        when 'lead.assigned' then c.trigger_on_lead_assigned
        else false end
      on conflict do nothing
      returning id, event_id, webhook_config_id, client_user_id, turn, state
    )
    select id as delivery_id, event_id, webhook_config_id, client_user_id, 1 as attempt, turn from made where state = 'pending'
    union all
    select d.id, d.event_id, d.webhook_config_id, d.client_user_id, 1, d.turn from webhook_deliveries d
    where d.event_id = any(${ids}::uuid[]) and d.resend_of is null
      and case d.state when 'pending' then d.attempt = 0 else false end
  `.execute(db)
  return rows
}

/** Whether a delivery that nobody has is overdue by so many seconds. */
export async function hasOverdueDelivery(db: Db, overdueSeconds: number): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_deliveries
    where state = 'pending' and next_attempt_at < now() - make_interval(secs => ${overdueSeconds})
      and (lease_until is null or lease_until < now())
    order by next_attempt_at limit 1
  `.execute(db)
  return rows.length > 0
}

/** How many deliveries of a lead to this client's configurations are planned so far. */
export async function countDeliveriesOfLead(db: Db, leadId: string, client: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries where lead_id = ${leadId} and client_user_id = ${client}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Events of a lead that no worker has planned yet; to be handed to {@link planDeliveries}. */
export async function findUnplannedEventsOfLead(db: Db, leadId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from events
    where lead_id = ${leadId} and planned_at is null and type = any(${[...DELIVERABLE_EVENTS]}::text[])
  `.execute(db)
  return rows.map(({ id }) => id)
}
