import { sql, type Kysely } from 'kysely'

/** While it is on, whatever a source sends is a test. Older servers know nothing of it and go on as before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sources add column test_mode boolean not null default false`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sources drop column test_mode`.execute(db)
}
