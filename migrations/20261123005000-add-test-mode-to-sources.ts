import { sql, type Kysely } from 'kysely'

/** In test mode every lead of a source is a test. Older servers do not know the column and ignore it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sources add column test_mode boolean not null default false`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sources drop column test_mode`.execute(db)
}
