import type { StoredFile } from '#core/contract/files/stored-file.ts'
import type { Db } from '#core/data/database.ts'
import { deleteFiles, findFile, type FileOwner } from '#core/data/files/stored-files.ts'
import { noFile, sentWithReturn } from './file-refusal.ts'

/**
 * Removes files by their names; their bytes go once no other file has them (housekeeping). Names of other accounts are
 * as if there were no such files.
 * @param given.account_id the owner; undefined for the files of all owners. An agent removes only own files
 * @returns the removed files
 */
export async function removeFiles(
  { db }: { db: Db },
  {
    bucket,
    names,
    ...owner
  }: {
    bucket: string
    account_id: string | undefined
    member_user_id?: string | undefined
    names: readonly string[]
  },
): Promise<StoredFile[]> {
  return await deleteFiles(db, { bucket, names, owner })
}

/**
 * Removes one file.
 * @throws FileRefusal no_file, or sent for evidence that was sent with a return
 */
export async function removeFile(
  { db }: { db: Db },
  { bucket, name, owner }: { bucket: string; name: string; owner: FileOwner },
): Promise<void> {
  const removed = await deleteFiles(db, { bucket, names: [name], owner })
  if (removed.length > 0) return
  throw (await findFile(db, { bucket, name, owner })) === undefined ? noFile() : sentWithReturn()
}
