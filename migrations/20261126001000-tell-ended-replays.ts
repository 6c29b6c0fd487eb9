import { sql, type Kysely } from 'kysely'

/**
 * A replay is made in pieces now, so one may have been broken off: it has no end. Those of an older version, which makes each in one
 * transaction, have theirs by default, before this and beside it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_replays add column ended_at timestamptz default now()`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_replays drop column ended_at`.execute(db)
}
