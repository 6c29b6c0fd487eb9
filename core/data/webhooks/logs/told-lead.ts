import { sql, type RawBuilder } from 'kysely'
import { CLIENT_EVENTS } from '#core/contract/events.ts'
import type { Db } from '#core/data/database.ts'

/** A row of the log or of the deliveries, with `lead_id` and `event_id`. */
type SentRow = 'd' | 'g' | 'r' | 'sent'

/**
 * SQL: the lead of a row `alias` of the log or of the deliveries. A row of an event beside the lead has the event's id in
 * `lead_id` (docs/decisions/0055-events-beside-the-lead-have-no-lead.md), and the event knows its lead, if it has one.
 */
export function leadOf(alias: SentRow): RawBuilder<string | null> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`case when ${column('lead_id')} = ${column('event_id')}
    then (select told.lead_id from events told where told.id = ${column('event_id')}) else ${column('lead_id')} end`
}

/**
 * SQL: the row `alias` is about a lead of this agent. For an event beside the lead it is enough that the agent had the
 * lead when the client lost it, as when the event was planned.
 */
export function isOfAgent(alias: SentRow, member: string | RawBuilder<unknown>): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<boolean>`(
    exists (select from leads own where own.id = ${column('lead_id')} and own.member_user_id = ${member})
    or ${column('lead_id')} = ${column('event_id')} and exists (
      select from events told where told.id = ${column('event_id')} and (
        exists (select from leads own where own.id = told.lead_id and own.assigned_to = told.client_user_id
          and own.member_user_id = ${member})
        or exists (select from lead_assignments past where past.lead_id = told.lead_id
          and past.client_user_id = told.client_user_id and past.state <> 'active' and past.member_user_id = ${member}))))`
}

/** The values that `lead_id` has in rows about these leads, so that an index finds them. */
export async function storedLeadIds(db: Db, leads: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from events where lead_id = any(${[...leads]}::uuid[]) and type = any(${[...CLIENT_EVENTS]}::text[])`.execute(
    db,
  )
  return [...leads, ...rows.map(({ id }) => id)]
}
