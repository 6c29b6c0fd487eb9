import { sql, type Kysely } from 'kysely'

/** Deliveries may be tens of millions, so the index is built while they continue. */
export const isOutsideTransaction = true

/**
 * Deleting a webhook deletes its deliveries in every state. The indexes by state cannot find them, and all
 * deliveries would be read for each webhook.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An index that an earlier try left behind is not valid.
  await down(db)
  await sql`create index concurrently webhook_deliveries_config on webhook_deliveries (webhook_config_id)`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists webhook_deliveries_config`.execute(db)
}
