import { BUCKET_RULES, isProductBucket } from '#core/contract/files/buckets.ts'
import type { Db } from '#core/data/database.ts'
import { announceContent, releaseContent } from '#core/data/files/file-contents.ts'
import {
  FileInfected,
  FileScanFailed,
  FileStoreAway,
  FileStoreFull,
  FileTooLarge,
  type FileStore,
  type WrittenContent,
} from '#core/file-store/file-store.ts'
import { FileRefusal } from './file-refusal.ts'

/** A file needs the row of its bytes. */
const NEEDS_CONTENT = 'stored_files_sha256_fkey'

/**
 * Puts bytes into the store, scanned if a client sent them.
 * @throws FileRefusal, or the error of `bytes`
 */
export async function writeBytes(
  db: Db,
  files: FileStore,
  bytes: AsyncIterable<Uint8Array>,
  { bucket, mostBytes }: { bucket: string; mostBytes: number },
): Promise<WrittenContent> {
  // Files that only the product makes are not scanned.
  const scans = !isProductBucket(bucket) || BUCKET_RULES[bucket].isWritable
  const announce = async (content: WrittenContent): Promise<void> => {
    if (!(await announceContent(db, content))) throw removedMeanwhile()
  }
  try {
    return await files.write(bytes, { mostBytes, scans, announce })
  } catch (error) {
    throw refusalOf(error) ?? error
  }
}

/**
 * Handles bytes that were stored but got no name, because the file is refused or gone: housekeeping removes them soon.
 * @throws FileRefusal store_away if an erasure removed the same bytes meanwhile; else `error`
 */
export async function leaveUnnamed(db: Db, content: WrittenContent, error: unknown): Promise<never> {
  const { constraint } = error as { constraint?: unknown }
  if (constraint === NEEDS_CONTENT) {
    // They may have arrived after the erasure.
    await announceContent(db, content)
    throw removedMeanwhile(error)
  }
  await releaseContent(db, content.sha256)
  throw error
}

/** For bytes that an erasure removed, or may still remove, while the same arrive. */
export function removedMeanwhile(cause?: unknown): FileRefusal {
  const detail = 'A file with the same bytes was removed while this one arrived. Send it again in a minute.'
  return new FileRefusal('store_away', detail, cause)
}

/** The refusal that a failure of the file store is for a caller; undefined if it is none. */
function refusalOf(error: unknown): FileRefusal | undefined {
  if (error instanceof FileTooLarge)
    return new FileRefusal('too_large', 'The file is larger than its bucket or its account allows.', error)
  if (error instanceof FileStoreFull)
    return new FileRefusal('store_full', 'The server has no room for files at the moment.', error)
  if (error instanceof FileStoreAway)
    return new FileRefusal('store_away', 'The server cannot reach its files at the moment.', error)
  if (error instanceof FileInfected)
    return new FileRefusal('infected', 'The scan of the file found something harmful.', error)
  if (error instanceof FileScanFailed)
    return new FileRefusal('not_scanned', 'The file could not be scanned. Try again later.', error)
  return undefined
}
