import type { Kysely } from 'kysely'
import { EVIDENCE_BUCKET } from '#core/contract/market/return-evidence.ts'
import type { StoredFile } from '#core/contract/files/stored-file.ts'
import type { Db } from '#core/data/database.ts'
import { removeIfExpired } from '#core/data/files/expired-files.ts'
import { renameFile } from '#core/data/files/move-files.ts'
import { findFile, holdSubjects, type FileOwner } from '#core/data/files/stored-files.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { noFile, sentWithReturn } from './file-refusal.ts'
import {
  badType,
  findOwner,
  isSniffed,
  requireBucket,
  requireName,
  requireSize,
  requireType,
} from './judge-file.ts'
import { nameBytes, nameTaken, subjectErased } from './name-bytes.ts'
import { placeEvidence } from './place-evidence.ts'

interface Place {
  bucket: string
  name: string
}

/** A file and its new place. `owner` limits which file may be taken, and whose folder it may go to. */
export interface GivenMove {
  from: Place
  to: Place
  owner: FileOwner
}

/**
 * Gives a file another name or bucket, which must take it.
 * @throws FileRefusal
 */
export async function moveFile(db: Kysely<Database>, given: GivenMove): Promise<StoredFile> {
  const { file, place } = await judgeMove(db, given)
  try {
    const moved = await db.transaction().execute(async (trx) => {
      if (!(await holdSubjects(trx, place))) throw subjectErased()
      await removeIfExpired(trx, given.to)
      return await renameFile(trx, file.id, { ...given.to, ...place })
    })
    if (moved !== undefined) return moved
  } catch (error) {
    if (hasCode(error, '23505')) throw nameTaken()
    throw error
  }
  throw (await findFile(db, { ...given.from, owner: given.owner })) === undefined
    ? noFile()
    : sentWithReturn()
}

/**
 * Gives the bytes of a file a second name.
 * @param given.metadata in place of the file's own
 * @throws FileRefusal
 */
export async function copyFile(
  db: Kysely<Database>,
  given: GivenMove & {
    upsert: boolean
    metadata?: Record<string, unknown> | undefined
    created_by: string | undefined
  },
): Promise<StoredFile> {
  const { file, place } = await judgeMove(db, given)
  const { upsert, metadata = file.metadata, created_by = null, to, owner } = given
  const copy = { ...file, ...to, ...place, created_by, metadata }
  try {
    return await nameBytes(db, copy, { upsert, member_user_id: owner.member_user_id })
  } catch (error) {
    // The file was removed meanwhile, and its bytes with it.
    if (hasCode(error, '23503')) throw noFile()
    throw error
  }
}

async function judgeMove(
  db: Db,
  { from, to, owner }: GivenMove,
): Promise<{ file: StoredFile; place: Pick<StoredFile, 'account_id' | 'lead_id' | 'expires_at'> }> {
  const file = await findFile(db, { ...from, owner })
  if (file === undefined) throw noFile()
  requireName(to.name, owner.account_id ?? null)
  const bucket = await requireBucket(db, to.bucket)
  // The bytes are not read again, so a type that was only declared stays outside.
  if (isSniffed(to.bucket) && !isSniffed(from.bucket)) throw badType(file.content_type)
  requireType(bucket, file.content_type)
  requireSize(bucket, file.size)
  const account_id = owner.account_id ?? (await findOwner(db, to))
  const { lead_id, expires_at } =
    to.bucket === EVIDENCE_BUCKET
      ? await placeEvidence(db, { name: to.name, account_id, before: file })
      : file
  return { file, place: { account_id, lead_id, expires_at } }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
