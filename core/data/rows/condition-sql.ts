import { sql, type RawBuilder } from 'kysely'
import { columnType, type ColumnType, type RowTable } from '#core/contract/rows/row-tables.ts'
import type { Comparison, RowCondition, RowOrder, RowQuery, RowTest } from './row-query.ts'

type Columns = Readonly<Record<string, RawBuilder<unknown>>>

const OPERATORS: Readonly<Record<Comparison, RawBuilder<unknown>>> = {
  eq: sql`=`,
  neq: sql`<>`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
  like: sql`like`,
  ilike: sql`ilike`,
}

const TESTS: Readonly<Record<RowTest, RawBuilder<unknown>>> = {
  null: sql`is null`,
  not_null: sql`is not null`,
  true: sql`is true`,
  false: sql`is false`,
  unknown: sql`is unknown`,
}

const TYPES: Readonly<Record<ColumnType, RawBuilder<unknown>>> = {
  uuid: sql`uuid`,
  text: sql`text`,
  bool: sql`boolean`,
  int4: sql`integer`,
  numeric: sql`numeric`,
  timestamptz: sql`timestamptz`,
  jsonb: sql`jsonb`,
}

/** SQL: all conditions of a query hold. Values are parameters, which PostgreSQL reads as the column's type. */
export function holdsFor(
  table: RowTable,
  columns: Columns,
  { where }: Pick<RowQuery, 'where'>,
): RawBuilder<boolean> {
  return sql<boolean>`${sql.join([sql`true`, ...where.map((one) => condition(table, columns, one))], sql` and `)}`
}

function condition(table: RowTable, columns: Columns, wanted: RowCondition): RawBuilder<unknown> {
  switch (wanted.kind) {
    case 'not':
      return sql`(not ${condition(table, columns, wanted.of)})`
    case 'and':
    case 'or': {
      const members = wanted.of.map((one) => condition(table, columns, one))
      return sql`(${sql.join(members, wanted.kind === 'and' ? sql` and ` : sql` or `)})`
    }
    case 'is':
      return sql`(${columnOf(columns, wanted.column)} ${TESTS[wanted.test]})`
    case 'in': {
      const type = typeOf(table, wanted.column)
      return sql`(${columnOf(columns, wanted.column)} = any(${[...wanted.values]}::text[]::${type}[]))`
    }
    case 'compare': {
      const { column, operator } = wanted
      const isPattern = operator === 'like' || operator === 'ilike'
      const value = isPattern ? wanted.value.replaceAll('*', '%') : wanted.value
      return sql`(${columnOf(columns, column)} ${OPERATORS[operator]} ${value}::text::${typeOf(table, column)})`
    }
  }
}

/** A part of an order: its column, and `asc` or `desc` with the place of nulls. */
interface OrderPart {
  column: RawBuilder<unknown>
  direction: RawBuilder<unknown>
}

/** The parts of a query's order, made whole by the newest first and by the key. */
export function listOrder(
  columns: Columns,
  order: readonly RowOrder[],
  key: 'id' | 'client_user_id',
): OrderPart[] {
  const part = (name: string, { isDescending, nullsFirst }: Omit<RowOrder, 'column'>): OrderPart => {
    const way = isDescending ? sql`desc` : sql`asc`
    // PostgreSQL's own place for nulls is left out, so that the order is spelled as in the indexes.
    const nulls = nullsFirst ? sql` nulls first` : sql` nulls last`
    return {
      column: columnOf(columns, name),
      direction: sql`${way}${isDescending === nullsFirst ? sql`` : nulls}`,
    }
  }
  const parts = order.map((item) => part(item.column, item))
  const newest = { isDescending: true, nullsFirst: true }
  if (order.length === 0 && Object.hasOwn(columns, 'created_at')) parts.push(part('created_at', newest))
  if (!order.some(({ column }) => column === key)) {
    const isDescending = order.at(-1)?.isDescending ?? true
    parts.push(part(key, { isDescending, nullsFirst: isDescending }))
  }
  return parts
}

/** SQL: the order of {@link listOrder}. */
export function orderOf(...given: Parameters<typeof listOrder>): RawBuilder<unknown> {
  return sql.join(listOrder(...given).map(({ column, direction }) => sql`${column} ${direction}`))
}

/** Whether the order is that of the rows' times, in either direction. */
export function isByTime(order: readonly RowOrder[]): boolean {
  const [first, second] = order
  if (first === undefined) return true
  const isPlain = first.column === 'created_at' && first.isDescending === first.nullsFirst
  const isTied =
    second === undefined || (second.column === 'id' && second.isDescending === first.isDescending)
  return isPlain && isTied && order.length <= 2
}

function columnOf(columns: Columns, name: string): RawBuilder<unknown> {
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined
  if (column === undefined) throw new TypeError('A query names a column that its table does not have')
  return column
}

function typeOf(table: RowTable, name: string): RawBuilder<unknown> {
  const type = columnType(table, name)
  if (type === undefined) throw new TypeError('A query names a column that its table does not have')
  return TYPES[type]
}
