import { sql, type Kysely } from 'kysely'

/** Deliveries may be tens of millions, so the index is built while they continue. */
export const isOutsideTransaction = true

/**
 * Deliveries that may have to be sent alone, in the order in which they became due; there are hardly ever
 * any. The lease itself is not in the index, so that taking and returning it write no index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An index that an earlier try left behind is not valid.
  await down(db)
  await sql`
    create index concurrently webhook_deliveries_lost on webhook_deliveries (next_attempt_at)
    where state = 'pending' and lost_leases > 0`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists webhook_deliveries_lost`.execute(db)
}
