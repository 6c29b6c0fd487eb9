import { sql, type Kysely } from 'kysely'

/**
 * A replay is made in chunks, so one may have been interrupted: it has no end. An older version makes each
 * replay in one transaction, so its replays get their end by default, before and after this migration.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_replays add column ended_at timestamptz default now()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_replays drop column ended_at`.execute(db)
}
