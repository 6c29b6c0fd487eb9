import { sql, type Kysely } from 'kysely'
import { PLANNED_EVENTS } from '#core/contract/events.ts'
import type { Db } from '#core/data/database.ts'
import { inOrder } from '#core/data/in-order.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { IS_SENT_ALONE, isWebhookAlone } from './lone-deliveries.ts'
import { HELD_BACK } from './rate-limits.ts'

/**
 * A delivery that is to be attempted, in the form of its wake-up. `attempt` is the next one, from 1; `turn` is its
 * priority (core/fairness/priorities.ts).
 */
export interface DueDelivery {
  delivery_id: string
  webhook_config_id: string
  /** the client whose share it counts against (worker/dispatch/slot-pool.ts) */
  client_user_id: string
  attempt: number
  turn: number
  /** the trace that it continues (core/telemetry/tracing.ts) */
  trace?: string | undefined
}

/** An event to plan, and the priority of its deliveries. */
export interface EventToPlan {
  event_id: string
  turn: number
}

/** An event that was not planned, because enough deliveries of other clients, or of its own client, came first. */
export interface LeftEvent {
  id: string
  type: string
  client_user_id: string | null
  /** number of deliveries that it makes, or slightly fewer */
  size: number
}

/** A delivery that was planned and is due. */
export interface DueRow {
  kind: 'due'
  delivery_id: string
  event_id: string
  webhook_config_id: string
  client_user_id: string
  turn: number
}

/** Due deliveries that were planned, and events that were not planned because they would have been too many at once. */
export interface PlannedDeliveries {
  due: Array<DueDelivery & { event_id: string }>
  left: LeftEvent[]
}

/** Whether a delivery that nobody has is overdue by `overdueSeconds`. One that waits for the limit of its endpoint is not. */
export async function hasOverdueDelivery(db: Kysely<Database>, overdueSeconds: number): Promise<boolean> {
  return await inOrder(db, async (trx) => {
    const { rows } = await sql`
    select from webhook_deliveries d
    where state = 'pending' and next_attempt_at < now() - make_interval(secs => ${overdueSeconds})
      and (lease_until is null or lease_until < now()) and not (${IS_SENT_ALONE})
      and d.webhook_config_id <> all(${HELD_BACK}) and not ${isWebhookAlone(sql`d.webhook_config_id`)}
    order by next_attempt_at limit 1
  `.execute(trx)
    return rows.length > 0
  })
}

/** Number of deliveries of a lead to this client's configurations that are planned so far. */
export async function countDeliveriesOfLead(db: Db, leadId: string, client: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries where lead_id = ${leadId} and client_user_id = ${client}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Events of a lead that are not planned yet, in the form that core/use-cases/planning/plan-deliveries.ts takes. */
export async function findUnplannedEventsOfLead(db: Db, leadId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from events
    where lead_id = ${leadId} and planned_at is null and type = any(${[...PLANNED_EVENTS]}::text[])
  `.execute(db)
  return rows.map(({ id }) => id)
}
