import { sql, type Transaction } from 'kysely'
import type { Db } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { waitUntil } from '../condition.ts'

/** Counts the connections to this database that wait for a lock. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * Starts works one after the other while something is locked, each once the previous one waits or has ended.
 * Then releases the lock. @returns the result of each
 */
export async function beginInTheWayOf<Works extends ReadonlyArray<() => Promise<unknown>>>(
  db: Db,
  lock: (trx: Transaction<Database>) => Promise<unknown>,
  works: Works,
): Promise<PromiseSettledResult<unknown>[]> {
  const begun: Promise<unknown>[] = []
  let ended = 0
  await db.transaction().execute(async (trx) => {
    await lock(trx)
    for (const work of works) {
      const task = work().finally(() => {
        ended += 1
      })
      task.catch(() => undefined)
      begun.push(task)
      await waitUntil(async () => (await countWaiting(db)) + ended >= begun.length, {
        what: 'Everybody waiting, or done',
      })
    }
  })
  return await Promise.allSettled(begun)
}
