import { sql, type Kysely } from 'kysely'

/**
 * If an order's zone changes, it keeps counting by the old zone until the current day there ends. Older
 * versions do not know these columns and count by the new zone at once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders add column counts_in text, add column counts_in_until timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders drop column counts_in, drop column counts_in_until`.execute(db)
}
