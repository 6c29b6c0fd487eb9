import { sql, type Kysely } from 'kysely'

/** The last characters of a key, by which its holder is recognised. Keys that were made before have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table auth.service_keys add column if not exists key_ending text`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table auth.service_keys drop column key_ending`.execute(db)
}
