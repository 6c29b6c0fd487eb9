import { sql, type Kysely } from 'kysely'

/**
 * The administrator who paused a source. The column has no default, so no row is rewritten. A source that an older
 * version pauses, or paused before, names nobody.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sources add column if not exists paused_by uuid`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sources drop column paused_by`.execute(db)
}
