import { sql, type Kysely } from 'kysely'

/** Events may be tens of millions, so the index is built while they continue. */
export const isOutsideTransaction = true

/** Counts the leads that a client's conditions have recently left out; a lead that matches makes no entry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An index that an earlier try left behind is not valid.
  await sql`drop index concurrently if exists events_skipped`.execute(db)
  await sql`
    create index concurrently events_skipped on events (client_user_id, created_at desc)
    where type = 'delivery.skipped'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists events_skipped`.execute(db)
}
