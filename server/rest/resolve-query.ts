import { columnType, listColumns, type RowTable } from '#core/contract/rows/row-tables.ts'
import type { RowCondition, RowOrder, RowQuery } from '#core/data/rows/row-query.ts'
import { noSuchColumn, quote, RestError, unsupported } from './rest-error.ts'
import { rangeUnsatisfiable, type RestQuery } from './parse/parse-query.ts'
import type { Selection } from './parse/parse-select.ts'

/** No answer has more rows; further ones are read by `limit` and `offset`. */
export const MOST_ROWS = 1000

/** The columns that name an account. A filter by the id of the person who asks means the person's account. */
const OF_ACCOUNT: ReadonlySet<string> = new Set(['client_user_id', 'user_id', 'assigned_to'])

export interface Asker {
  account_id: string
  person_id: string
}

/**
 * Checks a parsed query against its table.
 * @throws RestError 42703 for a column that is not there, 42883 for an operator that its type does not have
 */
export function resolveQuery(
  table: RowTable,
  parsed: RestQuery,
  asker: Asker,
  range?: { from: number; to: number | undefined },
): RowQuery {
  return {
    ...resolveSelection(table, parsed.select),
    where: parsed.where.map((condition) => resolveCondition(table, condition, asker)),
    order: parsed.order.map((item) => resolveOrder(table, item)),
    ...resolveRange(parsed, range),
  }
}

function resolveSelection(
  table: RowTable,
  { columns, embeds }: Selection,
): Pick<RowQuery, 'columns' | 'lead'> {
  const [embed, second] = embeds
  for (const { name } of embeds)
    if (table !== 'webhook_delivery_logs' || name !== 'leads') throw noRelation(table, name)
  if (second !== undefined) throw unsupported('Embedding a resource twice is')
  if (embed?.columns.length === 0) throw unsupported('Embedding without columns is')
  return {
    columns: resolveColumns(table, columns),
    lead: embed === undefined ? undefined : resolveColumns('leads', embed.columns),
  }
}

function resolveColumns(table: RowTable, columns: 'all' | readonly string[]): readonly string[] {
  if (columns === 'all') return listColumns(table).map(({ name }) => name)
  for (const name of columns) requireType(table, name)
  return [...new Set(columns)]
}

function resolveCondition(table: RowTable, condition: RowCondition, asker: Asker): RowCondition {
  switch (condition.kind) {
    case 'not':
      return { ...condition, of: resolveCondition(table, condition.of, asker) }
    case 'and':
    case 'or':
      return { ...condition, of: condition.of.map((one) => resolveCondition(table, one, asker)) }
    default:
      return resolveComparison(table, condition, asker)
  }
}

function resolveComparison(
  table: RowTable,
  condition: RowCondition & { kind: 'compare' | 'in' | 'is' },
  asker: Asker,
): RowCondition {
  const { column } = condition
  const type = requireType(table, column)
  const meant = (value: string): string =>
    OF_ACCOUNT.has(column) && value.toLowerCase() === asker.person_id ? asker.account_id : value
  switch (condition.kind) {
    case 'is': {
      const isOfNull = condition.test === 'null' || condition.test === 'not_null'
      if (isOfNull || type === 'bool') return condition
      const message = `argument of IS ${condition.test.toUpperCase()} must be type boolean, not type ${type}`
      throw new RestError(400, '42804', message)
    }
    case 'in':
      if (type === 'jsonb') throw noOperator(type, '=')
      return { ...condition, values: condition.values.map(meant) }
    case 'compare': {
      const isPattern = condition.operator === 'like' || condition.operator === 'ilike'
      if (type === 'jsonb' || (isPattern && type !== 'text')) throw noOperator(type, condition.operator)
      return { ...condition, value: meant(condition.value) }
    }
  }
}

function resolveOrder(table: RowTable, item: RowOrder): RowOrder {
  if (requireType(table, item.column) !== 'jsonb') return item
  throw new RestError(404, '42883', 'could not identify an ordering operator for type jsonb')
}

function requireType(table: RowTable, name: string) {
  const type = columnType(table, name)
  if (type === undefined) throw noSuchColumn(table, name)
  return type
}

function noOperator(type: string, operator: string): RestError {
  return new RestError(404, '42883', `operator does not exist: ${type} ${operator} unknown`)
}

function noRelation(table: RowTable, name: string): RestError {
  const message = `Could not find a relationship between '${table}' and '${quote(name)}' in the schema cache`
  const details = `Searched for a foreign key relationship between '${table}' and '${quote(name)}' in the schema 'public', but no matches were found.`
  return new RestError(400, 'PGRST200', message, { details })
}

function resolveRange(
  { limit, offset }: RestQuery,
  range: { from: number; to: number | undefined } | undefined,
): Pick<RowQuery, 'limit' | 'offset'> {
  if (range?.to !== undefined && range.to < range.from)
    throw rangeUnsatisfiable(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    )
  const from = Math.max(offset, range?.from ?? 0)
  const ends = [from + MOST_ROWS]
  if (limit !== undefined) ends.push(offset + limit)
  if (range?.to !== undefined) ends.push(range.to + 1)
  return { offset: from, limit: Math.max(0, Math.min(...ends) - from) }
}
