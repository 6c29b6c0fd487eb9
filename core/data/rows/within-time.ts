import { sql, type Kysely } from 'kysely'
import type { Db } from '../database.ts'
import type { Database } from '../schema/tables.ts'

/** Clients write these queries, so each statement ends after this time, whatever it asks for. */
const MOST_MS = 150

/** PostgreSQL's code for a statement that ran out of time. */
export const OUT_OF_TIME = '57014'

/**
 * Reads in one transaction, whose statements may take {@link MOST_MS} each.
 * @throws the driver's error with the code {@link OUT_OF_TIME}
 */
export async function withinTime<Result>(
  db: Kysely<Database>,
  read: (trx: Db) => Promise<Result>,
): Promise<Result> {
  return await db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`select set_config('statement_timeout', ${`${MOST_MS}ms`}, true)`.execute(trx)
      return await read(trx)
    })
}
