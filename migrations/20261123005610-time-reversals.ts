import { sql, type Kysely } from 'kysely'

/** What is told late of a dispute must not replace what is newer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // When the provider says that it was so; null of what was kept before this was.
  await sql`alter table payment_reversals add column told_at timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_reversals drop column told_at`.execute(db)
}
