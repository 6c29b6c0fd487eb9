import { sql } from 'kysely'
import type { FieldError } from '#core/contract/problem.ts'
import type { Db } from '../database.ts'

/** A row that became no new lead, with the reason. */
export interface ReportedRow {
  row: number
  cells: string[]
  outcome: 'duplicate' | 'refused'
  errors: FieldError[]
}

/** A page of such rows, in the file's order. */
export async function listReportedRows(
  db: Db,
  id: string,
  { after, limit }: { after: number; limit: number },
): Promise<ReportedRow[]> {
  const { rows } = await sql<ReportedRow>`
    select row, cells, outcome, errors from lead_import_rows
    where import_id = ${id} and row > ${after} and outcome is not null order by row limit ${limit}`.execute(
    db,
  )
  return rows
}
