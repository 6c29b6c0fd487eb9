import { sql } from 'kysely'
import type { FileBucket } from '#core/contract/files/stored-file.ts'
import type { Db } from '../database.ts'

const SELECTED = sql`b.id, b.is_public, b.size_limit::float8 as size_limit, b.allowed_types, b.created_at, b.updated_at`

/** Returns undefined if there is none. */
export async function findBucket(db: Db, id: string): Promise<FileBucket | undefined> {
  const { rows } = await sql<FileBucket>`select ${SELECTED} from file_buckets b where b.id = ${id}`.execute(
    db,
  )
  return rows[0]
}
