import type { Kysely } from 'kysely'
import { DEFAULT_CACHE_CONTROL, FILE_LIMITS } from '#core/contract/files/buckets.ts'
import { EVIDENCE_BUCKET } from '#core/contract/market/return-evidence.ts'
import type { FileBucket, StoredFile } from '#core/contract/files/stored-file.ts'
import type { Db } from '#core/data/database.ts'
import { findFile, type NewFile } from '#core/data/files/stored-files.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { isAllowedType } from '#core/domain/files/is-allowed-type.ts'
import type { FileStore } from '#core/file-store/file-store.ts'
import { FileRefusal } from './file-refusal.ts'
import {
  badType,
  unknownType,
  isSniffed,
  readRoom,
  requireBucket,
  requireName,
  requireSize,
  requireType,
} from './judge-file.ts'
import { nameBytes, nameTaken, type NamingLimits } from './name-bytes.ts'
import { placeEvidence } from './place-evidence.ts'
import { sniffType } from './sniff-type.ts'
import { leaveUnnamed, writeBytes } from './write-bytes.ts'

const DAY_MS = 24 * 3600 * 1000

/** A file on its way into a bucket. */
export interface GivenFile extends NamingLimits {
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
}

/**
 * Stores a file: its bytes in the store, then its row. Nothing is left of a file that is refused or breaks off.
 * @throws FileRefusal, or the error of `bytes`
 */
export async function storeFile(
  { db, files }: { db: Kysely<Database>; files: FileStore },
  given: GivenFile,
): Promise<StoredFile> {
  const bucket = await requireBucket(db, given.bucket)
  requireName(given.name, given.account_id)
  const mostBytes = await judgeRoom(db, bucket, given)
  const { content_type, bytes } = await judgeType(bucket, given)
  const content = await writeBytes(db, files, bytes, { bucket: bucket.id, mostBytes })
  const file: NewFile = {
    ...content,
    bucket: bucket.id,
    name: given.name,
    account_id: given.account_id,
    content_type,
    created_by: given.created_by ?? null,
    lead_id: given.lead_id ?? null,
    expires_at: given.expires_at ?? expiryOf(given),
    ...(bucket.id === EVIDENCE_BUCKET && (await placeEvidence(db, given))),
    cache_control: given.cache_control ?? DEFAULT_CACHE_CONTROL,
    metadata: given.metadata ?? {},
  }
  return await nameBytes(db, file, given).catch((error: unknown) => leaveUnnamed(db, content, error))
}

/** An administrator's own file of leads is read soon or never; nothing else would end its personal data. */
function expiryOf({ bucket, account_id }: GivenFile): Date | null {
  if (bucket !== 'imports' || account_id === null) return null
  return new Date(Date.now() + FILE_LIMITS.importDays * DAY_MS)
}

/** @returns bytes that the file may have, judged before any is read: it spares the sender the bytes */
async function judgeRoom(db: Db, bucket: FileBucket, given: GivenFile): Promise<number> {
  const { name, account_id, declared = 0, upsert } = given
  requireSize(bucket, declared)
  const before = await findFile(db, { bucket: bucket.id, name })
  if (before !== undefined && !upsert) throw nameTaken()
  const room = (await readRoom(db, account_id, bucket.id)) + (before?.size ?? 0)
  if (room < declared)
    throw new FileRefusal('quota_reached', 'The account has too little room left for this file.')
  return Math.min(bucket.size_limit ?? FILE_LIMITS.size, room)
}

async function judgeType(
  bucket: FileBucket,
  { content_type, bytes }: GivenFile,
): Promise<{ content_type: string; bytes: AsyncIterable<Uint8Array> }> {
  if (!isSniffed(bucket.id)) {
    requireType(bucket, content_type)
    return { content_type, bytes }
  }
  const { type, bytes: all, leave } = await sniffType(bytes)
  if (type === undefined || !isAllowedType(bucket.allowed_types, type)) {
    await leave()
    throw type === undefined ? unknownType() : badType(type)
  }
  return { content_type: type, bytes: all }
}
