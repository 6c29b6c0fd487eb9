import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'

/**
 * Finishes the work that filling leaves behind, before anything is measured. With gigabytes this takes longer
 * than a statement of the product may.
 */
export async function settle(db: Kysely<Database>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum (analyze)`.execute(connection)
    await sql`checkpoint`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}
