import type { Kysely } from 'kysely'
import { takeUnnamedContents } from '#core/data/files/file-contents.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { FileStore } from '#core/file-store/file-store.ts'

/** Bytes removed in one transaction, which holds their rows until the store has removed them. */
const STEP = 20

/**
 * Removes bytes that no file has, from the store and then from the database, so a crash between the two only makes
 * somebody remove them again. Any number of processes may do this at once: each takes other rows.
 * @param options.only hashes in lower-case hex; undefined for all that are due
 * @param options.isOver asked between two steps; true ends the work early
 * @returns how many were removed
 * @throws FileStoreAway
 */
export async function removeFreedBytes(
  { db, files }: { db: Kysely<Database>; files: FileStore },
  { only, isOver = () => false }: { only?: readonly string[]; isOver?: () => boolean } = {},
): Promise<number> {
  let removed = 0
  for (let taken = STEP; taken === STEP && !isOver();) {
    taken = await db.transaction().execute(async (trx) => {
      const { looked, unnamed } = await takeUnnamedContents(trx, STEP, only)
      await Promise.all(unnamed.map((sha256) => files.remove(sha256)))
      removed += unnamed.length
      return looked
    })
  }
  return removed
}
