import { sql, type Kysely } from 'kysely'

/** Events may be tens of millions: the index is built while they go on. */
export const isOutsideTransaction = true

/** A lead has a few events, which are sorted when they are read. By the lead alone, those of one lead share an entry of the index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // What an earlier try left behind is not valid.
  await sql`drop index concurrently if exists events_of_lead`.execute(db)
  await sql`create index concurrently events_of_lead on events (lead_id)`.execute(db)
  await sql`drop index concurrently if exists events_lead`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`create index concurrently if not exists events_lead on events (lead_id, created_at)`.execute(db)
  await sql`drop index concurrently if exists events_of_lead`.execute(db)
}
