import type { Kysely } from 'kysely'
import { doubtContents, takeUnnamedContents } from '#core/data/files/file-contents.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { FileStore } from '#core/file-store/file-store.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { Logger } from '#core/telemetry/logger.ts'

/** Bytes removed in one transaction, which holds their rows until the store has removed them. */
const STEP = 20

interface Stores {
  db: Kysely<Database>
  files: FileStore
}

/**
 * Removes bytes that no file has, from the store and then from the database, so a crash between the two only makes
 * somebody remove them again. Any number of processes may do this at once: each takes other rows.
 * @param isOver asked between two steps; true ends the work early
 * @returns how many were removed
 * @throws FileStoreAway
 */
export async function removeFreedBytes(stores: Stores, isOver: () => boolean): Promise<number> {
  let removed = 0
  for (let looked = STEP; looked === STEP && !isOver();) {
    const step = await removeStep(stores)
    looked = step.looked
    removed += step.removed
  }
  return removed
}

/**
 * Removes the bytes of erased files at once, unless another file has the same. If the store is away, housekeeping does it
 * when it is back.
 * @param hashes in lower-case hex
 */
export async function removeErasedBytes(
  { logger, ...stores }: Stores & { logger: Logger },
  hashes: readonly string[],
): Promise<void> {
  try {
    for (let at = 0; at < hashes.length; at += STEP) await removeStep(stores, hashes.slice(at, at + STEP))
  } catch (error) {
    logger.warn({ failure: describeError(error) }, 'bytes of erased files are removed later')
  }
}

/**
 * The rows are held until the store has removed the bytes. A removal that was not confirmed may still happen after an
 * equal upload, so these bytes are in doubt for a minute.
 * @throws the first failure of the store, after the others are removed
 */
async function removeStep(
  { db, files }: Stores,
  only?: readonly string[],
): Promise<{ looked: number; removed: number }> {
  const { looked, removed, failures } = await db.transaction().execute(async (trx) => {
    const { looked, unnamed } = await takeUnnamedContents(trx, STEP, only)
    const results = await Promise.allSettled(unnamed.map(({ sha256 }) => files.remove(sha256)))
    const stuck = unnamed.filter((_one, index) => results[index]?.status === 'rejected')
    if (stuck.length > 0) await doubtContents(trx, stuck)
    const failures = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    return { looked, removed: unnamed.length - stuck.length, failures }
  })
  if (failures.length > 0) throw failures[0]
  return { looked, removed }
}
