import { sql, type Kysely } from 'kysely'

/**
 * Neighbouring deliveries are leased and settled within moments of each other. With half of each page free,
 * every lease has room beside its row (a HOT update), and no index is written.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_deliveries set (fillfactor = 50)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_deliveries set (fillfactor = 80)`.execute(db)
}
