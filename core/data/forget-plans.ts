import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Drops cached plans. A plan that was made while nothing waited would read everything that waits, until PostgreSQL
 * analyses the table again, which takes a minute at best. To be called about once a second on a pool of one connection;
 * its statements are planned again at their next use.
 */
export async function forgetPlans(db: Db): Promise<void> {
  await sql`discard plans`.execute(db)
}
