import { sql } from 'kysely'
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

/** The entries of a folder: its folders by name, then its files. */
export async function listFolder(
  db: Db,
  asked: AskedFolder,
): Promise<{ entry: string; file: StoredFile | undefined }[]> {
  const { folder, sort, descending } = asked
  const way = descending ? sql`desc` : sql`asc`
  const { rows } = await sql<Omit<StoredFile, 'id'> & { entry: string; id: string | null }>`
    /* planned for its values */ with inside as (
      select f.id, split_part(rest, '/', 1) as entry, strpos(rest, '/') > 0 as is_folder
      from stored_files f cross join lateral (select substr(f.name, ${folder.length + 1}::int) as rest) named
      where f.bucket_id = ${asked.bucket} and starts_with(f.name, ${folder}) and ${ownedBy(asked.owner)}
        and coalesce(f.expires_at, 'infinity') > now()
    ), entries as (
      select distinct entry, null::uuid as file_id, true as is_folder from inside where is_folder
      union all select entry, id, false from inside where not is_folder
    )
    select e.entry, ${FILE_COLUMNS}
    from entries e left join stored_files f on f.id = e.file_id
    where starts_with(lower(e.entry), lower(${asked.search}))
    order by e.is_folder desc, ${sort === 'name' ? sql`e.entry` : sql.ref(`f.${sort}`)} ${way}, e.entry ${way}
    limit ${asked.limit} offset ${asked.offset}`.execute(db)
  return rows.map(({ entry, id, ...file }) => ({ entry, file: id === null ? undefined : { ...file, id } }))
}
