import { sql, type Kysely } from 'kysely'

/**
 * A delivery is leased and settled within moments of its neighbours. With half of each page free, every lease finds room
 * beside the row it changes (a HOT update), and no index is written for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_deliveries set (fillfactor = 50)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_deliveries set (fillfactor = 80)`.execute(db)
}
