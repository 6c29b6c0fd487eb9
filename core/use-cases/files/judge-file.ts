import { BUCKET_RULES, FILE_LIMITS, UNCOUNTED_BUCKET, isProductBucket } from '#core/contract/files/buckets.ts'
import type { FileBucket } from '#core/contract/files/stored-file.ts'
import type { Db } from '#core/data/database.ts'
import { findBucket } from '#core/data/files/file-buckets.ts'
import { isUser } from '#core/data/files/move-files.ts'
import { sumFiles } from '#core/data/files/stored-files.ts'
import { isAllowedType } from '#core/domain/files/is-allowed-type.ts'
import { isFileName, ownerFolder } from '#core/domain/files/judge-file-name.ts'
import { FileRefusal } from './file-refusal.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @throws FileRefusal no_bucket */
export async function requireBucket(db: Db, id: string): Promise<FileBucket> {
  const bucket = await findBucket(db, id)
  if (bucket === undefined) throw new FileRefusal('no_bucket', 'There is no such bucket.')
  return bucket
}

/**
 * @param account_id the owner, in whose folder the file must be; null for a file of the service
 * @throws FileRefusal bad_name
 */
export function requireName(name: string, account_id: string | null): void {
  if (!isFileName(name, FILE_LIMITS.nameBytes))
    throw new FileRefusal('bad_name', `Invalid key: ${shown(name)}`)
  if (account_id !== null && ownerFolder(name) !== account_id)
    throw new FileRefusal('bad_name', "The first folder of a name must be its owner's user id.")
}

/** A name of the sender, short and without characters that a log or a screen would act on. */
function shown(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)
}

/**
 * The owner of a file that the service stores under this name, by the name's first folder. In a bucket of the product
 * every file has an owner.
 * @throws FileRefusal bad_name
 */
export async function findOwner(
  db: Db,
  { bucket, name }: { bucket: string; name: string },
): Promise<string | null> {
  const folder = ownerFolder(name)
  if (folder !== undefined && UUID.test(folder) && (await isUser(db, folder))) return folder
  if (!isProductBucket(bucket)) return null
  throw new FileRefusal('bad_name', "The first folder of a name must be its owner's user id.")
}

/** @throws FileRefusal bad_type */
export function requireType(bucket: FileBucket, contentType: string): void {
  if (!isAllowedType(bucket.allowed_types, contentType)) throw badType(contentType)
}

export function badType(type: string): FileRefusal {
  return new FileRefusal('bad_type', `mime type ${type} is not supported`)
}

/** For bytes that begin as no known format does; the declared type may well be allowed. */
export function unknownType(): FileRefusal {
  return new FileRefusal('bad_type', "The file's bytes are of no type that is known here")
}

/** @throws FileRefusal too_large */
export function requireSize(bucket: FileBucket, size: number): void {
  if (size > (bucket.size_limit ?? FILE_LIMITS.size))
    throw new FileRefusal('too_large', 'The file is larger than its bucket allows.')
}

/**
 * Bytes that an account has left for a file of this bucket.
 * @throws FileRefusal quota_reached if it has as many files, or more bytes, than it may
 */
export async function readRoom(db: Db, accountId: string | null, bucket: string): Promise<number> {
  if (accountId === null || bucket === UNCOUNTED_BUCKET) return Infinity
  const { files, bytes } = await sumFiles(db, accountId)
  if (files > FILE_LIMITS.files || bytes > FILE_LIMITS.quota)
    throw new FileRefusal('quota_reached', 'The files of this account take all the room that it has.')
  return FILE_LIMITS.quota - bytes
}

/** Whether the types in a bucket are read from the bytes. */
export function isSniffed(bucket: string): boolean {
  return isProductBucket(bucket) && BUCKET_RULES[bucket].isSniffed
}
