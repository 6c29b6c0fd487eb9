import { sql, type Kysely } from 'kysely'

/** Deliveries may be tens of millions: the index is built while they go on. */
export const isOutsideTransaction = true

/**
 * Whoever deletes a webhook deletes its deliveries, in whatever state they are; the indexes by state cannot find them, and all
 * deliveries of everybody were read for each webhook.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // What an earlier try left behind is not valid.
  await down(db)
  await sql`create index concurrently webhook_deliveries_config on webhook_deliveries (webhook_config_id)`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists webhook_deliveries_config`.execute(db)
}
