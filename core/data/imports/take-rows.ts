import { sql } from 'kysely'
import type { FieldError } from '#core/contract/problem.ts'
import type { Db } from '../database.ts'

/** An import whose rows become leads. Its row is locked until the transaction ends. */
export interface RunningImport {
  id: string
  source_id: string
  mapping: string[]
  constants: Record<string, string>
  taken_to: number
}

/** Running imports, the one that has waited longest first. */
export async function listRunningImports(db: Db): Promise<{ id: string; source_id: string }[]> {
  return await db
    .selectFrom('lead_imports')
    .select(['id', 'source_id'])
    .where('state', '=', 'running')
    .orderBy('touched_at')
    .limit(20)
    .execute()
}

/** Locks a running import in the caller's transaction; undefined if it is not running any more. */
export async function claimImport(trx: Db, id: string): Promise<RunningImport | undefined> {
  const { rows } = await sql<RunningImport>`
    select id, source_id, mapping, constants, taken_to from lead_imports
    where id = ${id} and state = 'running' for no key update`.execute(trx)
  return rows[0]
}

export interface WaitingRow {
  row: number
  cells: string[]
  fault: string | null
}

/** The next rows of an import, in the file's order. */
export async function listWaitingRows(
  db: Db,
  id: string,
  { after, limit }: { after: number; limit: number },
): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select row, cells, fault from lead_import_rows where import_id = ${id} and row > ${after}
    order by row limit ${limit}`.execute(db)
  return rows
}

/** The result of a row. */
export interface SettledRow {
  row: number
  outcome: 'accepted' | 'duplicate' | 'refused'
  errors: readonly FieldError[]
}

/**
 * Notes the results of rows, in the transaction that stores their leads. Nothing is kept here of a row that became a
 * lead.
 * @param rows in their order
 */
export async function settleRows(trx: Db, id: string, rows: readonly SettledRow[]): Promise<void> {
  await sql`
    with settled as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (row int, outcome text, errors jsonb)
    ), gone as (
      delete from lead_import_rows kept using settled
      where kept.import_id = ${id} and kept.row = settled.row and settled.outcome = 'accepted'
    ), kept as (
      update lead_import_rows kept set outcome = settled.outcome, errors = settled.errors from settled
      where kept.import_id = ${id} and kept.row = settled.row and settled.outcome <> 'accepted'
    )
    update lead_imports set taken = taken + together, accepted = accepted + ours, duplicates = duplicates + known,
      refused = refused + faulty, taken_to = last, touched_at = now(), tries = 0
    from (
      select count(*)::int as together, max(row) as last, count(*) filter (where outcome = 'accepted')::int as ours,
        count(*) filter (where outcome = 'duplicate')::int as known,
        count(*) filter (where outcome = 'refused')::int as faulty
      from settled
    ) counted
    where id = ${id}`.execute(trx)
}

/** Marks the import as finished: all of its rows are taken. */
export async function finishImport(trx: Db, id: string): Promise<void> {
  await trx
    .updateTable('lead_imports')
    .set({ state: 'finished', finished_at: sql`now()`, touched_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}
