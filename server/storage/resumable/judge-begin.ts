import { findFile } from '#core/data/files/stored-files.ts'
import {
  findOwner,
  isSniffed,
  readRoom,
  requireBucket,
  requireName,
  requireSize,
  requireType,
} from '#core/use-cases/files/judge-file.ts'
import { FileRefusal } from '#core/use-cases/files/file-refusal.ts'
import { nameTaken } from '#core/use-cases/files/name-bytes.ts'
import type { ServerContext } from '../../context.ts'
import type { StorageCaller } from '../identify-caller.ts'
import { reachBucket } from '../reach-bucket.ts'
import { StorageFailure } from '../storage-failure.ts'
import { spendUpload } from '../take-upload.ts'
import { readGiven } from './read-given.ts'

/** Uploads of one person that are begun and not stored; they keep bytes for a day. */
const MOST_OPEN = 20

/**
 * Whether this upload could become a file, as far as that is known before its bytes: it spares the sender the bytes.
 * Everything is decided again with the file.
 * @param asked.open uploads of this person that are not stored yet
 * @throws StorageFailure, FileRefusal
 */
export async function judgeBegin(
  context: ServerContext,
  caller: StorageCaller,
  asked: { metadata: Record<string, string | null>; size: number; upsert: boolean; open: number },
): Promise<void> {
  const { db } = context
  const given = readGiven(asked.metadata)
  const { owner } = await reachBucket(context, caller, given.bucket, 'write')
  if (asked.open >= MOST_OPEN)
    throw new StorageFailure('too_many', `Finish or cancel some of your ${asked.open} uploads first.`)
  if (caller.kind === 'person') await spendUpload(context, caller.sender.name)
  const bucket = await requireBucket(db, given.bucket)
  const account = owner.account_id ?? (await findOwner(db, given))
  requireName(given.name, account)
  requireSize(bucket, asked.size)
  if (!isSniffed(bucket.id)) requireType(bucket, given.content_type)
  const before = await findFile(db, given)
  if (before !== undefined && !asked.upsert) throw nameTaken()
  if ((await readRoom(db, account, bucket.id)) + (before?.size ?? 0) < asked.size)
    throw new FileRefusal('quota_reached', 'The account has too little room left for this file.')
}
