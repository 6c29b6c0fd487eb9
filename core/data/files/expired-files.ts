import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Removes files whose time is over. Returns how many, at most `limit`. */
export async function removeExpiredFiles(db: Db, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from stored_files where id = any(array(
      select id from stored_files where expires_at <= now() order by expires_at limit ${limit} for update skip locked))
    returning 1 as gone`.execute(db)
  return rows.length
}

/** Removes the file of this name if its time is over, so that another one can have the name. */
export async function removeIfExpired(
  db: Db,
  { bucket, name }: { bucket: string; name: string },
): Promise<void> {
  await sql`
    delete from stored_files where bucket_id = ${bucket} and name = ${name} and expires_at <= now()`.execute(
    db,
  )
}
