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
      await limitStatements(trx, `${MOST_MS}ms`)
      return await read(trx)
    })
}

/**
 * Reads in a transaction that also writes: only these statements must end within {@link MOST_MS}.
 * @throws the driver's error with the code {@link OUT_OF_TIME}
 */
export async function withinTimeOf<Result>(trx: Db, read: () => Promise<Result>): Promise<Result> {
  const { rows } = await sql<{ before: string }>`
    select current_setting('statement_timeout') as before`.execute(trx)
  await limitStatements(trx, `${MOST_MS}ms`)
  const result = await read()
  await limitStatements(trx, rows[0]?.before ?? '0')
  return result
}

async function limitStatements(trx: Db, time: string): Promise<void> {
  await sql`select set_config('statement_timeout', ${time}, true)`.execute(trx)
}
