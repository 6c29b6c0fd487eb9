import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'

/** A stored row: the JSON text of each column, null for SQL's null. */
export type StoredRow = Readonly<Record<string, string | null>>

/**
 * SQL: these columns as JSON texts, which keep the microseconds of times, the digits of numbers, and the key order of
 * payload templates.
 * @param further what is selected beside them, as JSON texts too
 */
export function selectAsJson(
  columns: Readonly<Record<string, RawBuilder<unknown>>>,
  further: readonly RawBuilder<unknown>[] = [],
): RawBuilder<unknown> {
  const selected = Object.entries(columns).map(
    ([name, column]) => sql`to_json(${column})::text as ${sql.id(name)}`,
  )
  return sql.join([...selected, ...further])
}

/** SQL: these columns as one JSON object. */
export function asJsonObject(columns: Readonly<Record<string, RawBuilder<unknown>>>): RawBuilder<unknown> {
  const members = Object.entries(columns).map(([name, column]) => sql`${sql.lit(name)}, ${column}`)
  return sql`json_build_object(${sql.join(members)})`
}

/** Executes a statement that selects the columns of a request by {@link selectAsJson}. */
export async function readStoredRows(db: Db, statement: RawBuilder<unknown>): Promise<StoredRow[]> {
  const { rows } = await (statement as RawBuilder<StoredRow>).execute(db)
  return rows
}
