import { sql, type Kysely } from 'kysely'

/** A late report about a dispute must not replace a newer one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The provider's time of the report; null for rows from before this column.
  await sql`alter table payment_reversals add column told_at timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_reversals drop column told_at`.execute(db)
}
