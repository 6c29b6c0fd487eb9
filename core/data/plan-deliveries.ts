import { sql } from 'kysely'
import type { Db } from './database.ts'

/** A delivery that is to be attempted, as its job names it. `attempt` is the one to make, from 1. */
export interface DueDelivery {
  delivery_id: string
  webhook_config_id: string
  attempt: number
}

/**
 * Plans the deliveries of events: one for each matching active configuration, all in one statement, so that an event is
 * planned whole or not at all.
 * Who matches (CONTRACT.md §5): `lead.created` goes to the client that owns the lead, or, for a marketplace lead, to
 * administrators; `lead.assigned` to the client it was assigned to.
 * Safe to run twice: a planned event answers with its deliveries that still wait for their first attempt.
 */
export async function planDeliveries(db: Db, eventIds: readonly string[]): Promise<DueDelivery[]> {
  const ids = [...new Set(eventIds)].toSorted()
  // Conditions on planned_at and state are spelt so that no partial index answers them: those hold everything that waits
  // and the dead entries of what did, and rows are looked up by id here.
  const { rows } = await sql<DueDelivery>`
    with planned as (
      update events set planned_at = now(), enqueued_at = coalesce(enqueued_at, now())
      where id = any(${ids}::uuid[]) and coalesce(planned_at, 'infinity') = 'infinity'
      returning id, type, lead_id, client_user_id
    ), made as (
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id)
      select e.id, e.type, c.id, c.client_user_id, e.lead_id
      from planned e
      join client_webhook_configs c on c.is_active and case e.type
        when 'lead.created' then c.trigger_on_lead_created
        when 'lead.assigned' then c.trigger_on_lead_assigned
        else false end
      where c.client_user_id = e.client_user_id
        or (e.type = 'lead.created' and exists (
          select from profiles p where p.user_id = c.client_user_id and p.role = 'admin' and p.status = 'active'))
      on conflict do nothing
      returning id, webhook_config_id
    )
    select id as delivery_id, webhook_config_id, 1 as attempt from made
    union all
    select d.id, d.webhook_config_id, 1 from webhook_deliveries d
    where d.event_id = any(${ids}::uuid[]) and d.resend_of is null
      and case d.state when 'pending' then d.attempt = 0 else false end
  `.execute(db)
  return rows
}

/**
 * Overdue deliveries, oldest first, for the reconciler. `after` pages through all of them. `due` is PostgreSQL's text: a
 * Date would lose the microseconds, and with them the place among deliveries that became due together.
 */
export async function findOverdueDeliveries(
  db: Db,
  options: { overdueSeconds: number; limit: number; after: { due: string; id: string } | null },
): Promise<Array<DueDelivery & { due: string }>> {
  const { overdueSeconds, limit, after } = options
  const { rows } = await sql<DueDelivery & { due: string }>`
    select id as delivery_id, webhook_config_id, attempt + 1 as attempt, next_attempt_at::text as due
    from webhook_deliveries
    where state = 'pending' and next_attempt_at < now() - make_interval(secs => ${overdueSeconds})
      and (lease_until is null or lease_until < now())
      and (${after?.due ?? null}::timestamptz is null
        or (next_attempt_at, id) > (${after?.due ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by next_attempt_at, id
    limit ${limit}
  `.execute(db)
  return rows
}

/** Deliveries of a configuration that was switched on again become due now. */
export async function releaseHeldDeliveries(db: Db, webhookConfigId: string): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    update webhook_deliveries set state = 'pending', next_attempt_at = now()
    where webhook_config_id = ${webhookConfigId} and state = 'held'
    returning id as delivery_id, webhook_config_id, attempt + 1 as attempt
  `.execute(db)
  return rows
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
    select id from events where lead_id = ${leadId} and planned_at is null
  `.execute(db)
  return rows.map(({ id }) => id)
}
