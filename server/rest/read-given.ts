import type { z } from 'zod'
import { columnType, type RowTable } from '#core/contract/rows/row-tables.ts'
import { JsonSyntaxError, readElements } from '#core/domain/webhooks/template/json-tree.ts'
import { AppError } from '#core/errors.ts'
import { readInput } from '../http/read-input.ts'
import { MOST_WRITTEN } from './find-targets.ts'
import { noSuchBodyColumn, notOneRow, RestError, unsupported } from './rest-error.ts'
import type { RestCall } from './rest-call.ts'

/** A row that a body gives, and its text, from which a payload template is cut. */
export interface GivenRow {
  values: Readonly<Record<string, unknown>>
  text: string
}

/**
 * Reads the rows of an insert: an object, or a list of them.
 * @throws RestError PGRST102 for anything else, PGRST204 for an unknown column, PGRST116 if an object is asked for
 */
export function readGivenRows(call: RestCall): GivenRow[] {
  const { table, body, bodyText, parsed, wish } = call
  if (!Array.isArray(body)) return [readObject(table, { value: body, text: bodyText }, parsed.columns)]
  const values: readonly unknown[] = body
  if (values.length > MOST_WRITTEN) throw unsupported(`Writing more than ${MOST_WRITTEN} rows at once is`)
  if (wish.isObject && values.length !== 1) throw notOneRow(values.length)
  const texts = cutTexts(bodyText)
  const rows = values.map((value, index) =>
    readObject(table, { value, text: texts[index] ?? '' }, parsed.columns),
  )
  const names = (row: GivenRow | undefined): string =>
    Object.keys(row?.values ?? {})
      .toSorted()
      .join()
  if (parsed.columns === undefined && rows.some((row) => names(row) !== names(rows[0])))
    throw new RestError(400, 'PGRST102', 'All object keys must match')
  return rows
}

/**
 * Reads the values of an update: an object, or a list with one; undefined for an empty list.
 * @throws RestError as {@link readGivenRows}
 */
export function readGiven({ table, body, bodyText, parsed }: RestCall): GivenRow | undefined {
  if (!Array.isArray(body)) return readObject(table, { value: body, text: bodyText }, parsed.columns)
  const values: readonly unknown[] = body
  if (values.length > 1) throw unsupported('Changing rows by several rows of values is')
  return values.length === 0
    ? undefined
    : readObject(table, { value: values[0], text: cutTexts(bodyText)[0] ?? '' }, parsed.columns)
}

/** @throws AppError validation_failed */
export function readValues<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const found = readInput(schema, given)
  if (found.ok) return found.value
  throw new AppError('validation_failed', 'The values are not valid.', { errors: found.errors })
}

function cutTexts(bodyText: string): string[] {
  try {
    return readElements(bodyText)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw new RestError(400, 'PGRST102', 'Empty or invalid json', { details: error.message })
  }
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
