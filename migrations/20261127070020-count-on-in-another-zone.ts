import { sql, type Kysely } from 'kysely'

/**
 * The zone by which an order whose zone was changed still counts, and until when: the end of the day that was running there. Older
 * versions know nothing of it and count by the new zone at once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders add column counts_in text, add column counts_in_until timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders drop column counts_in, drop column counts_in_until`.execute(db)
}
