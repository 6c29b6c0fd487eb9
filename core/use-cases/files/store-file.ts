import {
  BUCKET_RULES,
  DEFAULT_CACHE_CONTROL,
  FILE_LIMITS,
  isProductBucket,
} from '#core/contract/files/buckets.ts'
import { EVIDENCE_BUCKET } from '#core/contract/market/return-evidence.ts'
import type { FileBucket, StoredFile } from '#core/contract/files/stored-file.ts'
import type { Db } from '#core/data/database.ts'
import { findBucket } from '#core/data/files/file-buckets.ts'
import { announceContent } from '#core/data/files/file-contents.ts'
import { findFile, insertFile, lockFilesOf, sumFiles, type NewFile } from '#core/data/files/stored-files.ts'
import { isAllowedType } from '#core/domain/files/is-allowed-type.ts'
import { isFileName, ownerFolder } from '#core/domain/files/judge-file-name.ts'
import { FileStoreFull, FileTooLarge, type FileStore } from '#core/file-store/file-store.ts'
import type { Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import { placeEvidence } from './place-evidence.ts'
import { FileRefusal } from './file-refusal.ts'
import { sniffType } from './sniff-type.ts'

/** A file on its way into a bucket. */
export interface GivenFile {
  bucket: string
  /** the owner, whose id is the first folder of `name`; null only in a bucket that a service key made */
  account_id: string | null
  name: string
  content_type: string
  bytes: AsyncIterable<Uint8Array>
  /** bytes that the sender declares; refused before they are read if they are too many */
  declared?: number | undefined
  cache_control?: string | undefined
  metadata?: Record<string, unknown> | undefined
  /** the person who stores it; none for the product itself */
  created_by?: string | undefined
  /** the lead that it is about: erasing the lead removes it */
  lead_id?: string | undefined
  expires_at?: Date | undefined
  /** replaces a file of that name */
  upsert: boolean
  /** runs in the transaction that gives the bytes their name; if it throws, there is no file */
  alongside?: ((trx: Db, stored: StoredFile) => Promise<void>) | undefined
}

/**
 * Stores a file: its bytes in the store, then its row. Nothing is left of a file that is refused or breaks off.
 * @throws FileRefusal, or the error of `bytes`
 */
export async function storeFile(
  { db, files }: { db: Kysely<Database>; files: FileStore },
  given: GivenFile,
): Promise<StoredFile> {
  const bucket = await findBucket(db, given.bucket)
  if (bucket === undefined) throw new FileRefusal('no_bucket', 'There is no such bucket.')
  requireName(given)
  const mostBytes = await judgeRoom(db, bucket, given)
  const { content_type, bytes } = await judgeType(bucket, given)
  const content = await writeBytes(db, files, bytes, mostBytes)
  return await nameBytes(db, {
    ...content,
    bucket: bucket.id,
    name: given.name,
    account_id: given.account_id,
    content_type,
    created_by: given.created_by ?? null,
    lead_id: given.lead_id ?? null,
    expires_at: given.expires_at ?? null,
    ...(bucket.id === EVIDENCE_BUCKET && (await placeEvidence(db, given))),
    cache_control: given.cache_control ?? DEFAULT_CACHE_CONTROL,
    metadata: given.metadata ?? {},
    upsert: given.upsert,
    alongside: given.alongside,
  })
}

function requireName({ name, account_id }: Pick<GivenFile, 'name' | 'account_id'>): void {
  if (!isFileName(name, FILE_LIMITS.nameBytes)) throw new FileRefusal('bad_name', 'This name cannot be used.')
  if (account_id !== null && ownerFolder(name) !== account_id)
    throw new FileRefusal('bad_name', "The first folder of a name must be its owner's user id.")
}

/** @returns bytes that the file may have, judged before any is read */
async function judgeRoom(db: Db, bucket: FileBucket, given: GivenFile): Promise<number> {
  const { name, account_id, declared = 0, upsert } = given
  const size = bucket.size_limit ?? FILE_LIMITS.size
  if (declared > size) throw new FileRefusal('too_large', 'The file is larger than its bucket allows.')
  // Decided again with the row: this spares the sender the bytes.
  const before = await findFile(db, { bucket: bucket.id, name })
  if (before !== undefined && !upsert) throw nameTaken()
  if (account_id === null) return size
  const room = FILE_LIMITS.quota - (await sumFiles(db, account_id)) + (before?.size ?? 0)
  if (room <= declared) throw quotaReached()
  return Math.min(size, room)
}

async function judgeType(
  bucket: FileBucket,
  { content_type, bytes }: GivenFile,
): Promise<{ content_type: string; bytes: AsyncIterable<Uint8Array> }> {
  const sniffs = isProductBucket(bucket.id) && BUCKET_RULES[bucket.id].isSniffed
  if (!sniffs) {
    if (!isAllowedType(bucket.allowed_types, content_type)) throw badType(content_type)
    return { content_type, bytes }
  }
  const { type, bytes: all, leave } = await sniffType(bytes)
  if (type === undefined || !isAllowedType(bucket.allowed_types, type)) {
    await leave()
    throw badType(type ?? content_type)
  }
  return { content_type: type, bytes: all }
}

async function writeBytes(
  db: Db,
  files: FileStore,
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<{ sha256: string; size: number }> {
  try {
    return await files.write(bytes, { mostBytes, announce: (content) => announceContent(db, content) })
  } catch (error) {
    if (error instanceof FileTooLarge)
      throw new FileRefusal('too_large', 'The file is larger than its bucket or its account allows.', error)
    if (error instanceof FileStoreFull)
      throw new FileRefusal('store_full', 'The server has no room for files at the moment.', error)
    throw error
  }
}

/** Two files that arrive at once must not exceed the quota together, so the sum is taken under a lock. */
async function nameBytes(
  db: Kysely<Database>,
  { upsert, alongside, ...file }: NewFile & Pick<GivenFile, 'upsert' | 'alongside'>,
): Promise<StoredFile> {
  return await db.transaction().execute(async (trx) => {
    if (file.account_id !== null) await lockFilesOf(trx, file.account_id)
    const stored = await insertFile(trx, file, upsert)
    if (stored === undefined) throw nameTaken()
    if (file.account_id !== null && (await sumFiles(trx, file.account_id)) > FILE_LIMITS.quota)
      throw quotaReached()
    await alongside?.(trx, stored)
    return stored
  })
}

function nameTaken(): FileRefusal {
  return new FileRefusal('name_taken', 'A file of this name is there already.')
}

function quotaReached(): FileRefusal {
  return new FileRefusal('quota_reached', 'The files of this account take all the room that it has.')
}

function badType(type: string): FileRefusal {
  return new FileRefusal('bad_type', `mime type ${type} is not supported`)
}
