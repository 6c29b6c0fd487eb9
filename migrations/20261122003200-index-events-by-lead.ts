import { sql, type Kysely } from 'kysely'

/** Events may be tens of millions, so the index is built while they continue. */
export const isOutsideTransaction = true

/**
 * A lead has a few events, which are sorted when they are read. With the lead as the only column, the events
 * of one lead share an index entry.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An index that an earlier try left behind is not valid.
  await sql`drop index concurrently if exists events_of_lead`.execute(db)
  await sql`create index concurrently events_of_lead on events (lead_id)`.execute(db)
  await sql`drop index concurrently if exists events_lead`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`create index concurrently if not exists events_lead on events (lead_id, created_at)`.execute(db)
  await sql`drop index concurrently if exists events_of_lead`.execute(db)
}
