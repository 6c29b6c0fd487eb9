import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Notes which stored file is the import's; one that was cancelled meanwhile loses it soon (empty-imports.ts).
 * @returns false if a person in it was erased: it then keeps no file
 */
export async function keepImportFile(db: Db, id: string, fileId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('lead_imports')
    .set({ file_id: fileId })
    .where('id', '=', id)
    .where('keeps_no_file', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The stored file of an import; undefined if none is kept. */
export async function findImportFile(
  db: Db,
  id: string,
): Promise<{ id: string; bucket: string; name: string } | undefined> {
  const { rows } = await sql<{ id: string; bucket: string; name: string }>`
    select f.id, f.bucket_id as bucket, f.name from lead_imports i join stored_files f on f.id = i.file_id
    where i.id = ${id}`.execute(db)
  return rows[0]
}

/** Removes the file of an import; its bytes go by housekeeping. */
export async function removeImportFile(db: Db, id: string): Promise<void> {
  await sql`
    delete from stored_files where id = (select file_id from lead_imports where id = ${id})`.execute(db)
}
