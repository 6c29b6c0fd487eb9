import { sql } from 'kysely'
import { EVENT_DATA } from '#core/contract/webhooks/events/event-data.ts'
import type { ClientEvent } from '#core/contract/events.ts'
import type { Db } from '#core/data/database.ts'
import { readStored } from '#core/read-stored.ts'

/** An event beside the lead, as it was stored, and the ids by which its client knows the lead. */
export interface EventToSend {
  data: unknown
  lead_id: string | null
  created_at: Date
  /** null also once the person was erased */
  external_id: string | null
  receiver_id: string | null
}

/**
 * Reads an event for one of its deliveries. `receiver_id` is the id that this webhook was given for the lead, or another
 * webhook of the client.
 * @returns undefined if there is no such event any more
 */
export async function readEventToSend(
  db: Db,
  { event_id, webhook_config_id }: { event_id: string; webhook_config_id: string },
): Promise<EventToSend | undefined> {
  const { rows } = await sql<EventToSend>`
    select e.data, e.lead_id, e.created_at, l.external_id, (
      select d.receiver_id from webhook_deliveries d
      where d.lead_id = e.lead_id and d.client_user_id = e.client_user_id and d.receiver_id is not null
      order by d.webhook_config_id = ${webhook_config_id} desc, d.created_at desc, d.id desc limit 1) as receiver_id
    from events e left join leads l on l.id = e.lead_id where e.id = ${event_id}`.execute(db)
  return rows[0]
}

/**
 * The data of an event by its schema.
 * @throws StoredDataError
 */
export function readEventData(
  type: ClientEvent,
  {
    data,
    lead_id,
    external_id,
    receiver_id,
  }: Pick<EventToSend, 'data' | 'lead_id' | 'external_id' | 'receiver_id'>,
): Readonly<Record<string, string | number | null>> {
  const stored = typeof data === 'object' ? data : {}
  return readStored<Record<string, string | number | null>>(
    EVENT_DATA[type],
    { ...stored, lead_id, external_id, receiver_id },
    'the data of an event',
  )
}
