import { sql } from 'kysely'
import type { StoredFile } from '#core/contract/files/stored-file.ts'
import type { Db } from '../database.ts'

const SELECTED = sql`
  f.id, f.bucket_id, f.name, f.account_id, f.created_by, f.lead_id, encode(f.sha256, 'hex') as sha256, f.size::float8 as size,
  f.content_type, f.cache_control, f.metadata, f.version, f.created_at, f.updated_at, f.last_accessed_at, f.expires_at`

/** A file in a bucket, by its whole name. Returns undefined if there is none, or if it has expired. */
export async function findFile(
  db: Db,
  { bucket, name }: { bucket: string; name: string },
): Promise<StoredFile | undefined> {
  const [file] = await findFiles(db, { bucket, names: [name] })
  return file
}

/** Files by their names, in any order; those that have expired are left out. */
export async function findFiles(
  db: Db,
  { bucket, names }: { bucket: string; names: readonly string[] },
): Promise<StoredFile[]> {
  const { rows } = await sql<StoredFile>`
    select ${SELECTED} from stored_files f
    where f.bucket_id = ${bucket} and f.name = any(${names}::text[])
      and coalesce(f.expires_at, 'infinity') > now()`.execute(db)
  return rows
}

/** A file to insert; the bytes are in the store already. */
export interface NewFile {
  bucket: string
  name: string
  account_id: string | null
  created_by: string | null
  lead_id: string | null
  sha256: string
  size: number
  content_type: string
  cache_control: string
  metadata: Record<string, unknown>
  expires_at: Date | null
}

/**
 * Gives bytes a name. With `upsert` it replaces a file of that name; an expired file counts as none.
 * @returns undefined if the name is taken
 */
export async function insertFile(db: Db, file: NewFile, upsert: boolean): Promise<StoredFile | undefined> {
  const { rows } = await sql<StoredFile>`
    insert into stored_files as f (bucket_id, name, account_id, created_by, lead_id, sha256, size, content_type, cache_control,
      metadata, expires_at)
    values (${file.bucket}, ${file.name}, ${file.account_id}, ${file.created_by}, ${file.lead_id},
      decode(${file.sha256}, 'hex'), ${file.size}::float8, ${file.content_type}, ${file.cache_control},
      ${JSON.stringify(file.metadata)}::jsonb, ${file.expires_at})
    on conflict (bucket_id, name) do update set account_id = excluded.account_id, created_by = excluded.created_by,
      lead_id = excluded.lead_id, sha256 = excluded.sha256, size = excluded.size, content_type = excluded.content_type,
      cache_control = excluded.cache_control, metadata = excluded.metadata, version = gen_random_uuid(), updated_at = now(),
      last_accessed_at = now(), expires_at = excluded.expires_at
    where ${upsert} or f.expires_at <= now()
    returning ${SELECTED}`.execute(db)
  return rows[0]
}

/**
 * Removes files by their names.
 * @returns the removed files
 */
export async function deleteFiles(
  db: Db,
  { bucket, account_id, names }: { bucket: string; account_id: string | undefined; names: readonly string[] },
): Promise<StoredFile[]> {
  const { rows } = await sql<StoredFile>`
    delete from stored_files f
    where f.bucket_id = ${bucket} and f.name = any(${names}::text[])
      and (${account_id ?? null}::uuid is null or f.account_id = ${account_id ?? null}::uuid)
    returning ${SELECTED}`.execute(db)
  return rows
}

/** Bytes of all files of an account. */
export async function sumFiles(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select coalesce(sum(size), 0)::float8 as used from stored_files where account_id = ${accountId}`.execute(
    db,
  )
  return rows[0]?.used ?? 0
}

/** Lets one transaction at a time store files of this account, so that the sum of their bytes holds. */
export async function lockFilesOf(trx: Db, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('stored_files'), hashtext(${accountId}))`.execute(trx)
}
