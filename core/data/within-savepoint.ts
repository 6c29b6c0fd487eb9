import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Runs a part of a transaction that may fail without the rest.
 * @throws what the part throws; nothing of the part is left then
 */
export async function withinSavepoint<T>(trx: Db, part: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(trx)
  try {
    const result = await part()
    await sql`release savepoint part`.execute(trx)
    return result
  } catch (error) {
    await sql`rollback to savepoint part`.execute(trx)
    throw error
  }
}
