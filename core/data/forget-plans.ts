import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * A plan that was kept from a time when nothing waited would read all that waits, until PostgreSQL has next analysed the table:
 * a minute, at best. To be called once a second or so on a pool of one connection; its statements are planned anew when next used.
 */
export async function forgetPlans(db: Db): Promise<void> {
  await sql`discard plans`.execute(db)
}
