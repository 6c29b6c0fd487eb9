import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** The facts about a source that its posting specification shows. */
export interface SpecSource {
  id: string
  name: string
  test_mode: boolean
  spec_version: number
}

/** Finds a source that has a valid key. */
export async function findSpecSource(db: Db, id: string): Promise<SpecSource | undefined> {
  return await db
    .selectFrom('sources')
    .select(['id', 'name', 'test_mode', 'spec_version'])
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Invalidates all links to a source's posting specification.
 * @returns false if there is no such source
 */
export async function replaceSpecVersion(trx: Db, id: string): Promise<boolean> {
  const result = await trx
    .updateTable('sources')
    .set({ spec_version: sql<number>`spec_version + 1` })
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The codes of the lead types that are sold, sorted by their labels. */
export async function listLeadTypeCodes(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('lead_types').select('code').orderBy('label').orderBy('code').execute()
  return rows.map(({ code }) => code)
}
