import { columnType, type RowTable } from '#core/contract/rows/row-tables.ts'
import { noSuchBodyColumn, RestError, unsupported } from './rest-error.ts'
import type { RestCall } from './rest-call.ts'

/** The row that a body gives, and its text, from which a payload template is cut. */
export interface GivenRow {
  values: Readonly<Record<string, unknown>>
  text: string
}

/**
 * Reads the row of a write: an object, or a list with one; undefined for an empty list.
 * @throws RestError PGRST102 for anything else, PGRST204 for an unknown column
 */
export function readGiven({ table, body, bodyText, parsed }: RestCall): GivenRow | undefined {
  if (Array.isArray(body)) {
    const rows: readonly unknown[] = body
    if (rows.length > 1) throw unsupported('Writing more than one row of values at once is')
    return rows.length === 0
      ? undefined
      : readObject(table, { value: rows[0], text: bodyText.trim().slice(1, -1) }, parsed.columns)
  }
  return readObject(table, { value: body, text: bodyText }, parsed.columns)
}

function readObject(
  table: RowTable,
  { value, text }: { value: unknown; text: string },
  columns: readonly string[] | undefined,
): GivenRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RestError(400, 'PGRST102', 'Empty or invalid json')
  const given = Object.entries(value)
  for (const name of [...(columns ?? []), ...given.map(([key]) => key)])
    if (columnType(table, name) === undefined) throw noSuchBodyColumn(table, name)
  const counted = columns === undefined ? given : given.filter(([name]) => columns.includes(name))
  return { values: Object.fromEntries(counted), text }
}
