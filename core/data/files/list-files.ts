import { sql, type RawBuilder } from 'kysely'
import type { StoredFile } from '#core/contract/files/stored-file.ts'
import type { Db } from '../database.ts'
import { FILE_COLUMNS, ownedBy, type FileOwner } from './stored-files.ts'

export const FILE_SORTS = ['name', 'created_at', 'updated_at', 'last_accessed_at'] as const
export type FileSort = (typeof FILE_SORTS)[number]

/** One page of a folder. */
export interface AskedFolder {
  bucket: string
  owner: FileOwner
  /** ends with a slash, or is empty for the bucket itself */
  folder: string
  /** the beginning of an entry's name, in any case */
  search: string
  sort: FileSort
  descending: boolean
  limit: number
  offset: number
}

/** The folder of the file `f` with its slash, or nothing; an index has it (stored_files_folder). */
const FOLDER = sql`regexp_replace(f.name, '[^/]*$', '')`

/**
 * The entries of a folder: its folders by name (with the slash), then its files. It reads no more files of the folder than
 * are listed, if they are sorted by name, and one file of each subfolder.
 */
export async function listFolder(
  db: Db,
  asked: AskedFolder,
): Promise<{ entry: string; file: StoredFile | undefined }[]> {
  const { folder, sort, descending, offset, limit } = asked
  const way = descending ? sql`desc` : sql`asc`
  const isFound = (entry: RawBuilder<unknown>) =>
    // A condition that nothing fails would still make the database expect few rows, and read the whole folder.
    asked.search === '' ? sql`true` : sql`starts_with(lower(${entry}), lower(${asked.search}))`
  const entry = sql`substr(f.name, ${folder.length + 1}::int)`
  const time = sort === 'name' ? sql`null::timestamptz` : sql.ref(`f.${sort}`)
  const { rows } = await sql<Omit<StoredFile, 'id'> & { entry: string; id: string | null }>`
    /* planned for its values */ with recursive folders as (
      select ${nextFolder(asked)} as entry
      union all select ${nextFolder(asked, sql`folders.entry`)} from folders where folders.entry is not null
    ), page as (
      (select null::uuid as file_id, entry, true as is_folder, null::timestamptz as time, entry || '/' as key
      from folders where entry is not null and ${isFound(sql`entry`)} limit ${offset + limit})
      union all
      (select f.id, ${entry}, false, ${time}, ${entry} from stored_files f
      where f.bucket_id = ${asked.bucket} and ${FOLDER} = ${folder} and ${isVisible(asked)} and ${isFound(entry)}
      order by ${sort === 'name' ? sql`` : sql`${time} ${way},`} f.name ${way} limit ${offset + limit})
      order by is_folder desc, time ${way}, key ${way} limit ${limit} offset ${offset}
    )
    select page.entry, ${FILE_COLUMNS} from page left join stored_files f on f.id = page.file_id
    order by page.is_folder desc, page.time ${way}, page.key ${way}`.execute(db)
  return rows.map(({ entry: name, id, ...file }) => ({
    entry: name,
    file: id === null ? undefined : { ...file, id },
  }))
}

/** The owner is only checked: the index of owners would read all files of one. */
function isVisible({ owner }: AskedFolder): RawBuilder<unknown> {
  return sql`coalesce(${ownedBy(owner)}, false) and (f.expires_at is null or f.expires_at > now())`
}

/** SQL: the subfolder that comes after another, or the first one; null if there is none. */
function nextFolder(asked: AskedFolder, after?: RawBuilder<unknown>): RawBuilder<unknown> {
  const { bucket, folder, descending } = asked
  const way = descending ? sql`desc` : sql`asc`
  const isBeyond = descending
    ? sql`${FOLDER} < ${folder} || ${after} || '/'`
    : sql`${FOLDER} >= ${folder} || ${after} || ${AFTER_SLASH}`
  return sql`(
    select split_part(substr(${FOLDER}, ${folder.length + 1}::int), '/', 1) from stored_files f
    where f.bucket_id = ${bucket} and ${isBeneath(asked)} and ${after === undefined ? sql`true` : isBeyond}
      and ${isVisible(asked)}
    order by ${FOLDER} ${way} limit 1)`
}

/** The character after the slash: all that is beneath `a/` comes before `a0`. */
const AFTER_SLASH = '0'

/** SQL: the file `f` is in a subfolder. Files of an account are all in its own folder. */
function isBeneath({ folder, owner: { account_id } }: AskedFolder): RawBuilder<unknown> {
  if (folder !== '') return sql`${FOLDER} > ${folder} and ${FOLDER} < ${folder.slice(0, -1) + AFTER_SLASH}`
  if (account_id === undefined) return sql`${FOLDER} > ''`
  return sql`${FOLDER} >= ${`${account_id}/`} and ${FOLDER} < ${account_id + AFTER_SLASH}`
}
