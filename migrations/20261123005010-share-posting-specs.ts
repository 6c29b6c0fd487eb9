import { sql, type Kysely } from 'kysely'

/** Only links to a source's posting specification that were signed with this number are valid. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sources add column spec_version integer not null default 1`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sources drop column spec_version`.execute(db)
}
