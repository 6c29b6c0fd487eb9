import { sql } from 'kysely'
import { CLIENT_EVENTS } from '#core/contract/events.ts'
import type { Db } from '../database.ts'
import { limitWaitedFor } from '../webhooks/deliveries/rate-limits.ts'

/** The most rows of each kind that a trace reads. */
const MOST = 1000

/** The way of a lead's event through the pipeline. */
export interface TracedEvent {
  id: string
  type: string
  created_at: Date
  enqueued_at: Date | null
  planned_at: Date | null
  failures: number
  failed_at: Date | null
  data: unknown
}

/** A delivery of a lead, with its webhook; the endpoint's URL may hold what its owner keeps secret. */
export interface TracedDelivery {
  id: string
  event_id: string
  webhook_config_id: string
  client_user_id: string
  webhook_name: string | null
  endpoint_url: string | null
  state: string
  attempt: number
  next_attempt_at: Date | null
  lease_until: Date | null
  /** requests a minute of its webhook, if what is due there waits for them */
  rate_limit: number | null
  failure_class: string | null
  resend_of: string | null
  cancelled_by: string | null
  offered_until: Date | null
  created_at: Date
  finished_at: Date | null
}

/** An attempt of one of its deliveries, as the log has it. */
export interface TracedAttempt {
  id: string
  created_at: Date
  delivery_id: string
  attempt_number: number
  delivery_status: string
  response_status: number | null
  processing_time_ms: number | null
  error_class: string | null
  next_attempt_at: Date | null
}

/** The answer of {@link readLeadTrace}: each list oldest first, and at most {@link MOST} of each. */
export interface LeadTrace {
  events: TracedEvent[]
  deliveries: TracedDelivery[]
  attempts: TracedAttempt[]
}

/** Reads every event, delivery and attempt of a lead, those of events beside it included. */
export async function readLeadTrace(db: Db, leadId: string): Promise<LeadTrace> {
  const events = await db
    .selectFrom('events')
    .select(['id', 'type', 'created_at', 'enqueued_at', 'planned_at', 'failures', 'failed_at', 'data'])
    .where('lead_id', '=', leadId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MOST)
    .execute()
  // A delivery of an event beside the lead has the event's id in place of the lead's.
  const told = sql<string>`(
    select ${leadId}::uuid union all
    select id from events where lead_id = ${leadId} and type = any(${[...CLIENT_EVENTS]}::text[]))`
  const deliveries = await db
    .selectFrom('webhook_deliveries as d')
    .leftJoin('client_webhook_configs as c', 'c.id', 'd.webhook_config_id')
    .select([
      'd.id',
      'd.event_id',
      'd.webhook_config_id',
      'd.client_user_id',
      'c.webhook_name',
      'c.endpoint_url',
      'd.state',
      'd.attempt',
      'd.next_attempt_at',
      'd.lease_until',
      limitWaitedFor(sql.ref('d.webhook_config_id')).as('rate_limit'),
      'd.failure_class',
      'd.resend_of',
      'd.cancelled_by',
      'd.offered_until',
      'd.created_at',
      'd.finished_at',
    ])
    .where('d.lead_id', 'in', told)
    .orderBy('d.created_at')
    .orderBy('d.id')
    .limit(MOST)
    .execute()
  const attempts = await db
    .selectFrom('webhook_delivery_logs')
    .select([
      'id',
      'created_at',
      'delivery_id',
      'attempt_number',
      'delivery_status',
      'response_status',
      'processing_time_ms',
      'error_class',
      'next_attempt_at',
    ])
    .where('lead_id', 'in', told)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MOST)
    .execute()
  return { events, deliveries, attempts }
}

/** Finds the lead of an id: its own, an event's (the `webhook-id` of a request), or a delivery's. */
export async function findLeadOfId(
  db: Db,
  id: string,
): Promise<{ lead_id: string; by: 'lead' | 'event' | 'delivery' } | undefined> {
  const lead = await db.selectFrom('leads').select('id').where('id', '=', id).executeTakeFirst()
  if (lead !== undefined) return { lead_id: lead.id, by: 'lead' }
  const event = await db.selectFrom('events').select('lead_id').where('id', '=', id).executeTakeFirst()
  if (typeof event?.lead_id === 'string') return { lead_id: event.lead_id, by: 'event' }
  const delivery = await db
    .selectFrom('webhook_deliveries as d')
    .leftJoin('events as e', (join) => join.onRef('e.id', '=', 'd.event_id').onRef('e.id', '=', 'd.lead_id'))
    // An event beside the lead may be about none.
    .select(['d.lead_id', 'e.id as event_id', 'e.lead_id as told_lead'])
    .where('d.id', '=', id)
    .executeTakeFirst()
  const found = delivery === undefined || delivery.event_id === null ? delivery?.lead_id : delivery.told_lead
  return typeof found === 'string' ? { lead_id: found, by: 'delivery' } : undefined
}
