import { sql, type Kysely } from 'kysely'
import type { Db } from './database.ts'
import type { Database } from './schema/tables.ts'

/** Planner methods that are switched off for one query. */
const SWITCHES = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'sort'].map((way) => `enable_${way}`)

/**
 * Runs a query for the first rows in the order of an index. Waiting rows come faster than PostgreSQL's statistics
 * follow. With a plan cached while nothing waited, PostgreSQL would scan the table, or use any index, read all waiting
 * rows, and sort them. With these methods switched off, only the index in the right order is left.
 * @param by whether the index has the whole order, or only its beginning, so that the few rows that are equal there are
 * sorted
 */
export async function inOrder<Answer>(
  db: Kysely<Database>,
  ask: (trx: Db) => Promise<Answer>,
  by: 'whole' | 'beginning' = 'whole',
): Promise<Answer> {
  const switches = by === 'whole' ? [...SWITCHES, 'enable_incremental_sort'] : SWITCHES
  return await db.transaction().execute(async (trx) => {
    await sql`
      select set_config(name, 'off', true) from unnest(${switches}::text[]) as name`.execute(trx)
    return await ask(trx)
  })
}
