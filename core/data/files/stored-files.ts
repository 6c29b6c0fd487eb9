import { sql } from 'kysely'
import { UNCOUNTED_BUCKET } from '#core/contract/files/buckets.ts'
import type { StoredFile } from '#core/contract/files/stored-file.ts'
import type { Db } from '../database.ts'

/** The columns of a {@link StoredFile} of the table `f`. */
export const FILE_COLUMNS = sql`
  f.id, f.bucket_id, f.name, f.account_id, f.created_by, f.lead_id, encode(f.sha256, 'hex') as sha256, f.size::float8 as size,
  f.content_type, f.cache_control, f.metadata, f.version, f.created_at, f.updated_at, f.last_accessed_at, f.expires_at`

/** The owner whose files a statement reads or changes; an omitted member means no limit. */
export interface FileOwner {
  account_id?: string | undefined
  /** an agent, who sees and changes only own files */
  member_user_id?: string | undefined
}

/** The condition of {@link FileOwner} on the table `f`. */
export function ownedBy({ account_id, member_user_id }: FileOwner) {
  return sql<boolean>`
    (${account_id ?? null}::uuid is null or f.account_id = ${account_id ?? null}::uuid)
    and (${member_user_id ?? null}::uuid is null or f.created_by = ${member_user_id ?? null}::uuid)`
}

/** A file in a bucket, by its whole name. Returns undefined if there is none, if it has expired, or is another's. */
export async function findFile(
  db: Db,
  { bucket, name, owner = {} }: { bucket: string; name: string; owner?: FileOwner },
): Promise<StoredFile | undefined> {
  const [file] = await findFiles(db, { bucket, names: [name], owner })
  return file
}

/** Files by their names, in any order; those that have expired or are another's are left out. */
export async function findFiles(
  db: Db,
  { bucket, names, owner = {} }: { bucket: string; names: readonly string[]; owner?: FileOwner },
): Promise<StoredFile[]> {
  const { rows } = await sql<StoredFile>`
    select ${FILE_COLUMNS} from stored_files f
    where f.bucket_id = ${bucket} and f.name = any(${names}::text[]) and ${ownedBy(owner)}
      and coalesce(f.expires_at, 'infinity') > now()`.execute(db)
  return rows
}

/** A file to insert; the bytes are in the store already, and the database gives it the rest. */
export type NewFile = Omit<
  StoredFile,
  'id' | 'bucket_id' | 'version' | 'created_at' | 'updated_at' | 'last_accessed_at'
> & { bucket: string }

/** A file that was sent with a return is evidence: nobody replaces, moves or removes it. */
export const UNSENT = sql<boolean>`f.return_id is null`

/**
 * Gives bytes a name. With `replaces` it replaces a file of that owner; an expired file counts as none.
 * @returns undefined if the name is taken
 */
export async function insertFile(
  db: Db,
  file: NewFile,
  replaces: FileOwner | undefined,
): Promise<StoredFile | undefined> {
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
    where ((${replaces !== undefined} and ${ownedBy(replaces ?? {})}) or f.expires_at <= now()) and ${UNSENT}
    returning ${FILE_COLUMNS}`.execute(db)
  return rows[0]
}

/**
 * Removes files by their names.
 * @returns the removed files
 */
export async function deleteFiles(
  db: Db,
  { bucket, names, owner }: { bucket: string; names: readonly string[]; owner: FileOwner },
): Promise<StoredFile[]> {
  const { rows } = await sql<StoredFile>`
    delete from stored_files f
    where f.bucket_id = ${bucket} and f.name = any(${names}::text[]) and ${ownedBy(owner)} and ${UNSENT}
    returning ${FILE_COLUMNS}`.execute(db)
  return rows
}

/** Counts the files of an account that count towards its limits, and their bytes. */
export async function sumFiles(db: Db, accountId: string): Promise<{ files: number; bytes: number }> {
  const { rows } = await sql<{ files: number; bytes: number }>`
    select count(*)::int as files, coalesce(sum(size), 0)::float8 as bytes
    from stored_files where account_id = ${accountId} and bucket_id <> ${UNCOUNTED_BUCKET}`.execute(db)
  return rows[0] ?? { files: 0, bytes: 0 }
}

/** Lets one transaction at a time store files of this account, so that the sum of their bytes holds. */
export async function lockFilesOf(trx: Db, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('stored_files'), hashtext(${accountId}))`.execute(trx)
}

/**
 * Whether the account and the lead of a new file are still there. Neither is erased before the transaction ends, so the
 * erasure finds the file; an erasure under way is waited for.
 */
export async function holdSubjects(
  trx: Db,
  { account_id, lead_id }: { account_id: string | null; lead_id: string | null },
): Promise<boolean> {
  // Each row is judged after it was waited for: a condition would be judged before.
  const { rows: accounts } = await sql<{ erased_at: Date | null }>`
    select deleted_at as erased_at from auth.users where id = ${account_id}::uuid for share`.execute(trx)
  const { rows: leads } = await sql<{ erased_at: Date | null }>`
    select redacted_at as erased_at from leads where id = ${lead_id}::uuid for share`.execute(trx)
  return [...accounts, ...leads].every(({ erased_at }) => erased_at === null)
}
