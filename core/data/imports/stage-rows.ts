import { sql } from 'kysely'
import type { Delimiter, Encoding } from '#core/contract/imports/lead-import.ts'
import type { Db } from '../database.ts'

/** A file whose bytes are there, and what somebody said of them. */
export interface UnreadImport {
  id: string
  encoding: Encoding | null
  delimiter: Delimiter | null
  header: number | null
}

/** Whoever has waited for longest is first. */
export async function listUnreadImports(db: Db): Promise<UnreadImport[]> {
  return await db
    .selectFrom('lead_imports')
    .select(['id', 'encoding', 'delimiter', 'header'])
    .where('state', '=', 'reading')
    .orderBy('touched_at')
    .limit(20)
    .execute()
}

/** What was read of a row (core/csv/open-csv.ts). */
export interface StagedRow {
  row: number
  cells: readonly string[]
  fault: string | null
}

/**
 * Keeps rows until they are taken. A row that is there already, because this file was begun to be read before, is the same.
 * @param count how many there are with these
 * @returns false where the import is not read any more
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

/** The file is read: its columns wait to be mapped, and its bytes are needed no longer. */
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

/** Nothing more becomes of it. @param row whose fault it is, where it is one row's */
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
