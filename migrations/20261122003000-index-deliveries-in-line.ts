import { sql, type Kysely } from 'kysely'

/** Deliveries may be tens of millions: the index is built while they go on. */
export const isOutsideTransaction = true

/**
 * What waits, waits as rows: a worker that has room for an endpoint asks for the oldest of its deliveries that are due, first
 * attempts apart from what gives way to them. A lease is in no index, so that taking and giving it back stay cheap.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // What an earlier try left behind is not valid.
  await down(db)
  await sql`
    create index concurrently webhook_deliveries_line
    on webhook_deliveries (webhook_config_id, (attempt > 0 or turn > 0), next_attempt_at)
    where state = 'pending'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists webhook_deliveries_line`.execute(db)
}
