import { sql, type RawBuilder } from 'kysely'
import { CLIENT_EVENTS } from '#core/contract/events.ts'
import type { Db } from '#core/data/database.ts'

/**
 * SQL: the lead of a row `alias` of the log or of the deliveries. A row of an event beside the lead has the event's id in
 * `lead_id` (docs/decisions/0055-events-beside-the-lead-have-no-lead.md), and the event knows its lead, if it has one.
 */
export function leadOf(alias: 'd' | 'g' | 'r'): RawBuilder<string | null> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`case when ${column('lead_id')} = ${column('event_id')}
    then (select told.lead_id from events told where told.id = ${column('event_id')}) else ${column('lead_id')} end`
}

/** The values that `lead_id` has in rows about these leads, so that an index finds them. */
export async function storedLeadIds(db: Db, leads: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from events where lead_id = any(${[...leads]}::uuid[]) and type = any(${[...CLIENT_EVENTS]}::text[])`.execute(
    db,
  )
  return [...leads, ...rows.map(({ id }) => id)]
}
