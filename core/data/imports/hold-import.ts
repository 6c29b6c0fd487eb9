import { sql, type Kysely } from 'kysely'
import type { Db } from '../database.ts'
import type { Database } from '../schema/tables.ts'

/**
 * Runs `work` while no other worker has this import. The lock belongs to an open transaction, which ends with its
 * process, also behind a transaction pooler; it has read nothing and delays nobody. If its connection is lost, another
 * worker may begin at the same time. What both would store is then stored only once.
 * @returns undefined if another worker has it
 */
export async function withImport<T>(
  db: Kysely<Database>,
  id: string,
  work: () => Promise<T>,
): Promise<{ result: T } | undefined> {
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ is_held: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('lead_imports'), hashtext(${id})) as is_held
      from (select set_config('idle_in_transaction_session_timeout', '0', true)) patience`.execute(trx)
    return rows[0]?.is_held === true ? { result: await work() } : undefined
  })
}

/**
 * Counts a try before it begins, so that a try that ends its process counts too. Any progress clears the count.
 * @returns the number of this try since then; undefined if the import is not in this state any more
 */
export async function countTry(
  db: Db,
  id: string,
  state: 'reading' | 'running',
): Promise<number | undefined> {
  const row = await db
    .updateTable('lead_imports')
    .set({ tries: sql`tries + 1` })
    .where('id', '=', id)
    .where('state', '=', state)
    .returning('tries')
    .executeTakeFirst()
  return row?.tries
}

/** Uncounts a try that ended for a reason that has nothing to do with the import. */
export async function takeBackTry(db: Db, id: string): Promise<void> {
  await db
    .updateTable('lead_imports')
    .set({ tries: sql`greatest(tries - 1, 0)` })
    .where('id', '=', id)
    .execute()
}
