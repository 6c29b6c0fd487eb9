import { sql, type Kysely } from 'kysely'

/** Which links to a source's posting specification are good: those that were signed with this number. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sources add column spec_version integer not null default 1`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sources drop column spec_version`.execute(db)
}
