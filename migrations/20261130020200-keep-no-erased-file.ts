import { sql, type Kysely } from 'kysely'

/** An import with a row about a person who was erased keeps no file, also if it is being stored meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lead_imports add column keeps_no_file boolean not null default false`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lead_imports drop column keeps_no_file`.execute(db)
}
