import { sql, type Kysely } from 'kysely'

/**
 * A source can be paused: leads posted under its keys are refused until it is resumed. The columns have no default, so no
 * row is rewritten. An older server beside a newer one goes on taking leads of a paused source.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sources add column if not exists paused_at timestamptz, add column if not exists pause_reason text`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sources drop column pause_reason, drop column paused_at`.execute(db)
}
