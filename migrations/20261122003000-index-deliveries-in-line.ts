import { sql, type Kysely } from 'kysely'

/** Deliveries may be tens of millions, so the index is built while they continue. */
export const isOutsideTransaction = true

/**
 * Deliveries wait as rows. A worker with room for an endpoint reads its oldest due deliveries, first attempts
 * separately from low priority. A lease is in no index, so that taking and returning it stay cheap.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An index that an earlier try left behind is not valid.
  await down(db)
  await sql`
    create index concurrently webhook_deliveries_line
    on webhook_deliveries (webhook_config_id, (attempt > 0 or turn > 0), next_attempt_at)
    where state = 'pending'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists webhook_deliveries_line`.execute(db)
}
