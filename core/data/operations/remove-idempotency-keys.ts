import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Removes keys that no caller repeats any more. */
export async function removeIdempotencyKeys(db: Db, before: Date): Promise<number> {
  const { rows } = await sql`
    delete from idempotency_keys where created_at < ${before} returning 1 as gone`.execute(db)
  return rows.length
}
