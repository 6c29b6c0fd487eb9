import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { removeImportFile } from './import-files.ts'

/** Rows removed in one statement; it takes milliseconds, so that nobody waits for it. */
const STEP = 1000

/**
 * Removes personal data from imports. Cancelled or failed ones lose it at once, others when their last change is old
 * enough, whether they ended or nobody continued them. The facts about an import stay, above all its counts.
 * @param before imports last touched before this time keep nothing
 * @returns how many rows were removed
 */
export async function emptyImports(db: Db, before: Date): Promise<number> {
  await sql`
    update lead_imports set state = 'cancelled', head = '[]', finished_at = now()
    where emptied_at is null and touched_at < ${before} and state in ('uploading', 'ready')`.execute(db)
  const { rows: ended } = await sql<{ id: string; is_old: boolean }>`
    select id, touched_at < ${before} as is_old from lead_imports
    where emptied_at is null and (state in ('cancelled', 'failed') or state = 'finished' and touched_at < ${before})`.execute(
    db,
  )
  let removed = 0
  for (const { id, is_old: isOld } of ended) {
    await sql`delete from lead_import_parts where import_id = ${id}`.execute(db)
    await removeImportFile(db, id)
    for (let step = STEP; step === STEP; removed += step) step = await removeRows(db, id, isOld)
    if (isOld) {
      await sql`
        update lead_imports set emptied_at = now(), columns = '{}', mapping = '{}', constants = '{}' where id = ${id}`.execute(
        db,
      )
    }
  }
  return removed
}

async function removeRows(db: Db, id: string, isOld: boolean): Promise<number> {
  const result = await sql`
    delete from lead_import_rows where import_id = ${id} and row = any(array(
      select row from lead_import_rows where import_id = ${id} and (${isOld} or outcome is null) limit ${STEP}))`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}
