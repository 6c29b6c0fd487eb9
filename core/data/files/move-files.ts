import { sql } from 'kysely'
import type { StoredFile } from '#core/contract/files/stored-file.ts'
import type { Db } from '../database.ts'
import { FILE_COLUMNS, UNSENT } from './stored-files.ts'

/**
 * Gives a file another name, and perhaps another bucket.
 * @returns undefined if it is gone, or was sent with a return
 * @throws the database's error 23505 if the name is taken
 */
export async function renameFile(
  db: Db,
  id: string,
  to: {
    bucket: string
    name: string
    account_id: string | null
    lead_id: string | null
    expires_at: Date | null
  },
): Promise<StoredFile | undefined> {
  const { rows } = await sql<StoredFile>`
    update stored_files f set bucket_id = ${to.bucket}, name = ${to.name}, account_id = ${to.account_id},
      lead_id = ${to.lead_id}, expires_at = ${to.expires_at}, updated_at = now()
    where f.id = ${id} and ${UNSENT} returning ${FILE_COLUMNS}`.execute(db)
  return rows[0]
}

/** Notes that somebody read a file, at most once in an hour. */
export async function noteAccess(db: Db, id: string): Promise<void> {
  await sql`
    update stored_files set last_accessed_at = now()
    where id = ${id} and last_accessed_at < now() - interval '1 hour'`.execute(db)
}

/** Whether there is a user with this id. */
export async function isUser(db: Db, id: string): Promise<boolean> {
  const found = await db.selectFrom('auth.users').select('id').where('id', '=', id).executeTakeFirst()
  return found !== undefined
}
