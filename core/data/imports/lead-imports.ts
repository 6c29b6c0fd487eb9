import { sql } from 'kysely'
import type { Delimiter, Encoding, ImportState, NewImport } from '#core/contract/imports/lead-import.ts'
import type { Db } from '../database.ts'
import { POSITION_FORMAT, type PagePosition } from '../page.ts'

/** An import with facts about its source. */
export interface StoredImport {
  id: string
  source_id: string
  source_name: string
  owner_user_id: string | null
  file_name: string
  state: ImportState
  size: number
  received: number
  encoding: Encoding | null
  delimiter: Delimiter | null
  header: number | null
  suggested_encoding: Encoding | null
  columns: string[]
  mapping: string[]
  constants: Record<string, string>
  rows: number
  taken: number
  accepted: number
  duplicates: number
  refused: number
  failure: string | null
  failure_row: number | null
  created_by: string
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
  emptied_at: Date | null
  file_id: string | null
  position: string
}

const SELECTED = sql`
  i.id, i.source_id, s.name as source_name, s.owner_user_id, i.file_name, i.state, i.size, i.received, i.encoding, i.delimiter, i.header,
  i.suggested_encoding, i.columns, i.mapping, i.constants, i.rows, i.taken, i.accepted, i.duplicates, i.refused, i.failure, i.failure_row,
  i.created_by, i.created_at, i.started_at, i.finished_at, i.emptied_at, i.file_id,
  to_char(i.created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)}) as position`

/** Returns undefined if there is none. */
export async function findImport(db: Db, id: string): Promise<StoredImport | undefined> {
  const { rows } = await sql<StoredImport>`
    select ${SELECTED} from lead_imports i join sources s on s.id = i.source_id where i.id = ${id}`.execute(
    db,
  )
  return rows[0]
}

/** A page of all imports, newest first, with one row more than `limit` if there are more. */
export async function listImports(
  db: Db,
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<StoredImport[]> {
  const { rows } = await sql<StoredImport>`
    select ${SELECTED} from lead_imports i join sources s on s.id = i.source_id
    where (i.created_at, i.id) < (coalesce(${after?.at ?? null}::timestamptz, 'infinity'),
      coalesce(${after?.id ?? null}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by i.created_at desc, i.id desc limit ${limit + 1}`.execute(db)
  return rows
}

/** @returns its id */
export async function insertImport(
  db: Db,
  given: NewImport & { id?: string; created_by: string },
): Promise<string> {
  const { id } = await db
    .insertInto('lead_imports')
    .values({
      ...given,
      encoding: given.encoding ?? null,
      delimiter: given.delimiter ?? null,
      header: given.header ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Starts making leads of its rows.
 * @returns false if it is not ready for that
 */
export async function startImport(
  db: Db,
  id: string,
  { mapping, constants }: { mapping: readonly string[]; constants: Readonly<Record<string, string>> },
): Promise<boolean> {
  const result = await db
    .updateTable('lead_imports')
    .set({
      state: 'running',
      mapping: [...mapping],
      constants: JSON.stringify(constants),
      head: '[]',
      started_at: sql`now()`,
      touched_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Stops it; rows that became leads stay leads.
 * @returns false if it has ended
 */
export async function cancelImport(db: Db, id: string): Promise<boolean> {
  const result = await db
    .updateTable('lead_imports')
    .set({ state: 'cancelled', head: '[]', finished_at: sql`now()`, touched_at: sql`now()` })
    .where('id', '=', id)
    .where('state', 'in', ['uploading', 'reading', 'ready', 'running'])
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The first rows of the file of a ready import, among which the header is chosen. */
export async function listHead(db: Db, id: string): Promise<{ row: number; text: string }[]> {
  const { rows } = await sql<{ head: { row: number; text: string }[] }>`
    select head from lead_imports where id = ${id}`.execute(db)
  return rows[0]?.head ?? []
}
