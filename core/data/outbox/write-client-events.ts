import { sql } from 'kysely'
import type { ClientEvent } from '#core/contract/events.ts'
import type { StoredEventData } from '#core/contract/webhooks/events/event-data.ts'
import type { Db } from '../database.ts'
import type { EventToEnqueue } from './events.ts'

/** The subject of an event, beside its client: a lead, or something else of that client. */
type EventSubject = { lead_id: string } | { subject: { type: 'order' | 'webhook' | 'account'; id: string } }

/** An event beside the lead that has happened to a client. */
export type ClientEventToWrite = {
  [Type in ClientEvent]: { type: Type; client_user_id: string; data: StoredEventData<Type> }
}[ClientEvent] &
  EventSubject

/**
 * Writes events beside the lead, in the transaction of the change. Only clients with a webhook that has chosen an event
 * pay for its delivery: for others the event of a lead is only part of the timeline, and any other is not written.
 * @returns those that are to be planned; the relay enqueues those that the caller does not (publish-events.ts)
 */
export async function writeClientEvents(
  trx: Db,
  events: readonly ClientEventToWrite[],
): Promise<EventToEnqueue[]> {
  if (events.length === 0) return []
  const rows = events.map((event) => ({
    type: event.type,
    client_user_id: event.client_user_id,
    lead_id: 'lead_id' in event ? event.lead_id : null,
    subject_type: 'subject' in event ? event.subject.type : 'lead',
    subject_id: 'subject' in event ? event.subject.id : null,
    data: event.data,
  }))
  const { rows: written } = await sql<EventToEnqueue & { is_chosen: boolean }>`
    insert into events (type, lead_id, client_user_id, subject_type, subject_id, data, enqueued_at, planned_at)
    select t.type, t.lead_id, t.client_user_id, t.subject_type, t.subject_id, t.data,
      case when not chosen.is_so then now() end, case when not chosen.is_so then now() end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as t (type text, lead_id uuid, client_user_id uuid, subject_type text, subject_id uuid, data jsonb)
      cross join lateral (select exists (
        select from client_webhook_configs c
        where c.client_user_id = t.client_user_id and c.is_active and t.type = any(c.events)) as is_so) chosen
    where chosen.is_so or t.lead_id is not null
    returning id, type, client_user_id, planned_at is null as is_chosen`.execute(trx)
  return written.flatMap(({ is_chosen, ...event }) => (is_chosen ? [event] : []))
}
