import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** What a posting specification says of its source. */
export interface SpecSource {
  id: string
  name: string
  test_mode: boolean
  spec_version: number
}

/** A source whose key holds. */
export async function findSpecSource(db: Db, id: string): Promise<SpecSource | undefined> {
  return await db
    .selectFrom('sources')
    .select(['id', 'name', 'test_mode', 'spec_version'])
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
}

/** Makes all links to a source's posting specification worthless. @returns false where there is no such source */
export async function replaceSpecVersion(trx: Db, id: string): Promise<boolean> {
  const result = await trx
    .updateTable('sources')
    .set({ spec_version: sql<number>`spec_version + 1` })
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The codes of the lead types that are sold, by their labels. */
export async function listLeadTypeCodes(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('lead_types').select('code').orderBy('label').orderBy('code').execute()
  return rows.map(({ code }) => code)
}
