import type { StoredFile } from '#core/contract/files/stored-file.ts'
import type { Db } from '#core/data/database.ts'
import { deleteFiles } from '#core/data/files/stored-files.ts'

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
