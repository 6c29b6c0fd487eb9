import { sql, type Kysely } from 'kysely'
import type { Db } from './database.ts'
import type { Database } from './schema/tables.ts'

/** Ways of a plan that are switched off for one question. */
const SWITCHES = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'sort'].map((way) => `enable_${way}`)

/**
 * Asks for the first of what an index has in order. What waits comes faster than PostgreSQL learns of it: by a plan that was kept from an
 * hour when nothing waited it would walk through the table, or take any index, read all that waits, and sort it. Where it may do
 * neither, the one index in the right order is left.
 * @param by whether the index has the whole order, or only how it begins, so that the few that are equal there are sorted
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
