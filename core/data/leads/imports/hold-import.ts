import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** Holds an import for as long as this connection lives, whatever becomes of its process. @returns false where another has it */
export async function holdImport(connection: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_held: boolean }>`
    select pg_try_advisory_lock(hashtext('lead_imports'), hashtext(${id})) as is_held`.execute(connection)
  return rows[0]?.is_held === true
}

export async function releaseImport(connection: Db, id: string): Promise<void> {
  await sql`select pg_advisory_unlock(hashtext('lead_imports'), hashtext(${id}))`.execute(connection)
}

/**
 * Counts a try before it begins, so that a try which ends its process is counted as well. Any progress clears the count.
 * @returns the number of this try since then; undefined where the import is not in this state any more
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

/** A try that ended for no reason of the import's. */
export async function takeBackTry(db: Db, id: string): Promise<void> {
  await db
    .updateTable('lead_imports')
    .set({ tries: sql`greatest(tries - 1, 0)` })
    .where('id', '=', id)
    .execute()
}
