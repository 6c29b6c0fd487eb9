import type { Kysely } from 'kysely'
import type { StoredFile } from '#core/contract/files/stored-file.ts'
import type { Db } from '#core/data/database.ts'
import { isDoubtful } from '#core/data/files/file-contents.ts'
import { holdSubjects, insertFile, lockFilesOf, type NewFile } from '#core/data/files/stored-files.ts'
import { useTicket } from '#core/data/files/upload-tickets.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { FileRefusal } from './file-refusal.ts'
import { readRoom } from './judge-file.ts'
import { removedMeanwhile } from './write-bytes.ts'

/** Limits of a new file: what it may replace, and how often it may be stored. */
export interface NamingLimits {
  /** replaces a file of that name */
  upsert: boolean
  /** an agent, who replaces only own files */
  member_user_id?: string | undefined
  /** of a signed or resumable upload, which stores one file */
  ticket?: { id: string; expires_at: Date } | undefined
  /** runs in the transaction that gives the bytes their name; if it throws, there is no file */
  alongside?: ((trx: Db, stored: StoredFile) => Promise<void>) | undefined
}

/**
 * Gives bytes of the store a name, within the account's limits. Files that arrive at once must not exceed them together,
 * so their sum is taken under a lock.
 * @throws FileRefusal name_taken, quota_reached or bad_name
 */
export async function nameBytes(
  db: Kysely<Database>,
  file: NewFile,
  { upsert, member_user_id, ticket, alongside }: NamingLimits,
): Promise<StoredFile> {
  return await db.transaction().execute(async (trx) => {
    if (file.account_id !== null) await lockFilesOf(trx, file.account_id)
    if (!(await holdSubjects(trx, file))) throw subjectErased()
    if (ticket !== undefined && !(await useTicket(trx, ticket))) throw nameTaken()
    const stored = await insertFile(trx, file, upsert ? { member_user_id } : undefined)
    if (stored === undefined) throw nameTaken()
    // After the insert, which waits for a removal of the same bytes.
    if (await isDoubtful(trx, file.sha256)) throw removedMeanwhile()
    await readRoom(trx, file.account_id, file.bucket)
    await alongside?.(trx, stored)
    return stored
  })
}

/** A file may be on its way while the person is erased; it must not come back so. */
export function subjectErased(): FileRefusal {
  return new FileRefusal('bad_name', 'The lead or the account of this file was erased.')
}

export function nameTaken(): FileRefusal {
  return new FileRefusal('name_taken', 'A file of this name is there already.')
}
