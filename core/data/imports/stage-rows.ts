import { sql } from 'kysely'
import type { Delimiter, Encoding } from '#core/contract/imports/lead-import.ts'
import type { Db } from '../database.ts'

/** An uploaded file that is not read yet, with the settings of its upload. */
export interface UnreadImport {
  id: string
  created_by: string
  file_name: string
  encoding: Encoding | null
  delimiter: Delimiter | null
  header: number | null
}

/** The file that has waited longest is first. */
export async function listUnreadImports(db: Db): Promise<UnreadImport[]> {
  return await db
    .selectFrom('lead_imports')
    .select(['id', 'created_by', 'file_name', 'encoding', 'delimiter', 'header'])
    .where('state', '=', 'reading')
    .orderBy('touched_at')
    .limit(20)
    .execute()
}

/** The contents of a row (core/csv/open-csv.ts). */
export interface StagedRow {
  row: number
  cells: readonly string[]
  fault: string | null
}

/**
 * Stores rows until they are taken. A row that is there already is the same row, because reading of this file was begun
 * before.
 * @param count number of rows including these
 * @returns false if the import is no longer being read
 */
export async function stageRows(
  db: Db,
  id: string,
  rows: readonly StagedRow[],
  count: number,
): Promise<boolean> {
  const result = await sql`
    with alive as (
      update lead_imports set rows = ${count}::int, touched_at = now() where id = ${id} and state = 'reading' returning id
    ), kept as (
      insert into lead_import_rows (import_id, row, cells, fault)
      select alive.id, given.row, given.cells, given.fault
      from alive cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (row int, cells jsonb, fault text)
      on conflict do nothing
    )
    select id from alive`.execute(db)
  return result.rows.length > 0
}

/** Marks the file as read: its columns wait to be mapped, and its bytes are removed. */
export async function finishReading(
  db: Db,
  id: string,
  found: {
    columns: readonly string[]
    encoding: Encoding
    suggested: Encoding | null
    delimiter: Delimiter
    header: number
    head: readonly { row: number; text: string }[]
    rows: number
  },
): Promise<void> {
  await sql`
    with read as (
      update lead_imports set state = 'ready', columns = ${[...found.columns]}::text[], encoding = ${found.encoding},
        suggested_encoding = ${found.suggested}, delimiter = ${found.delimiter}, header = ${found.header}::int,
        head = ${JSON.stringify(found.head)}::jsonb, rows = ${found.rows}::int, tries = 0, touched_at = now()
      where id = ${id} and state = 'reading' returning id
    )
    delete from lead_import_parts where import_id in (select id from read)`.execute(db)
}

/**
 * Ends the import as failed.
 * @param row the row at fault, if it is a single row
 */
export async function failImport(db: Db, id: string, failure: string, row?: number): Promise<void> {
  await db
    .updateTable('lead_imports')
    .set({
      state: 'failed',
      failure,
      failure_row: row ?? null,
      finished_at: sql`now()`,
      touched_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('state', 'in', ['reading', 'running'])
    .execute()
}
