import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'

/** What filling leaves to do is done before anything is measured. Of gigabytes it takes longer than a statement of ours may. */
export async function settle(db: Kysely<Database>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum (analyze)`.execute(connection)
    await sql`checkpoint`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}
