import { sql } from 'kysely'
import type { FileBucket } from '#core/contract/files/stored-file.ts'
import type { Db } from '../database.ts'

const SELECTED = sql`b.id, b.is_public, b.size_limit::float8 as size_limit, b.allowed_types, b.created_at, b.updated_at`

/** Files that one statement removes. */
const REMOVED_AT_ONCE = 5000

/** Returns undefined if there is none. */
export async function findBucket(db: Db, id: string): Promise<FileBucket | undefined> {
  const { rows } = await sql<FileBucket>`select ${SELECTED} from file_buckets b where b.id = ${id}`.execute(
    db,
  )
  return rows[0]
}

/** All buckets, by their ids. */
export async function listBuckets(db: Db): Promise<FileBucket[]> {
  const { rows } = await sql<FileBucket>`select ${SELECTED} from file_buckets b order by b.id`.execute(db)
  return rows
}

/** A bucket as a service key makes or changes it. */
export type BucketSettings = Pick<FileBucket, 'is_public' | 'size_limit' | 'allowed_types'>

/** @returns false if there is one of that id */
export async function insertBucket(db: Db, id: string, settings: BucketSettings): Promise<boolean> {
  const result = await db
    .insertInto('file_buckets')
    .values({ id, ...settings })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Changes only the settings that are given. */
export async function changeBucket(db: Db, id: string, settings: Partial<BucketSettings>): Promise<void> {
  await db
    .updateTable('file_buckets')
    .set({ ...settings, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** Removes all files of a bucket; their bytes go later (file-contents.ts). */
export async function emptyBucket(db: Db, id: string): Promise<void> {
  for (;;) {
    // A statement has a time limit, and a bucket may have millions of files.
    const result = await sql`
      delete from stored_files where id in (
        select id from stored_files where bucket_id = ${id} limit ${REMOVED_AT_ONCE}
      )`.execute(db)
    if ((result.numAffectedRows ?? 0n) < BigInt(REMOVED_AT_ONCE)) return
  }
}

/** @returns false if it still has files */
export async function deleteBucket(db: Db, id: string): Promise<boolean> {
  const result = await sql`
    delete from file_buckets b
    where b.id = ${id} and not exists (select from stored_files f where f.bucket_id = b.id)`.execute(db)
  return (result.numAffectedRows ?? 0n) > 0n
}
