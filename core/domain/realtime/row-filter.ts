import { columnType, type ColumnType, type RowTable } from '#core/contract/rows/row-tables.ts'
import { readComparable, type Comparable } from './comparable.ts'

const OPERATORS = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in'] as const
type Operator = (typeof OPERATORS)[number]

const MOST_CHARACTERS = 8000
const MOST_CONDITIONS = 10
/** The limit of the client library's own realtime service. */
const MOST_VALUES = 100

interface Condition {
  column: string
  type: ColumnType
  operator: Operator
  /** several only for `in` */
  values: readonly Comparable[]
}

/** Conditions that must all hold. */
export type RowFilter = readonly Condition[]

export type ParsedFilter = { ok: true; filter: RowFilter } | { ok: false; reason: string }

/**
 * Parses the filter of a subscription: `column=operator.value`, and further conditions after commas. A value with a
 * comma stands in double quotes; `in` takes a list in parentheses.
 */
export function parseRowFilter(table: RowTable, text: string): ParsedFilter {
  if (text.length > MOST_CHARACTERS) return refuse(`the filter is longer than ${MOST_CHARACTERS} characters`)
  const scan = createScanner(text)
  const filter: Condition[] = []
  do {
    const condition = readCondition(table, scan)
    if (typeof condition === 'string') return refuse(condition)
    filter.push(condition)
    if (filter.length > MOST_CONDITIONS) return refuse(`more than ${MOST_CONDITIONS} conditions`)
  } while (scan.take(/,/y) !== undefined)
  return scan.isAtEnd() ? { ok: true, filter } : refuse('a comma or the end must follow a value')
}

/**
 * Whether all conditions hold for the row. As in SQL, null fulfils none. A deleted row is known by its keys only: a
 * condition on any other column cannot be judged, and does not keep the deletion from anybody.
 */
export function matchesFilter(filter: RowFilter, row: Readonly<Record<string, unknown>>): boolean {
  return filter.every(({ column, type, operator, values }) => {
    if (!Object.hasOwn(row, column)) return true
    const stored = row[column]
    const own = stored === null || stored === undefined ? undefined : readComparable(type, asText(stored))
    if (own === undefined) return false
    if (operator === 'in') return values.includes(own)
    const [asked] = values
    return asked !== undefined && HOLDS[operator](own, asked)
  })
}

const HOLDS: Readonly<Record<Exclude<Operator, 'in'>, (own: Comparable, asked: Comparable) => boolean>> = {
  eq: (own, asked) => own === asked,
  neq: (own, asked) => own !== asked,
  lt: (own, asked) => own < asked,
  lte: (own, asked) => own <= asked,
  gt: (own, asked) => own > asked,
  gte: (own, asked) => own >= asked,
}

function readCondition(table: RowTable, scan: Scanner): Condition | string {
  const column = scan.take(/\w+/y)
  if (column === undefined || scan.take(/=/y) === undefined)
    return 'a condition must be column=operator.value'
  const type = columnType(table, column)
  if (type === undefined) return `column ${column} does not exist in ${table}`
  if (type === 'jsonb') return `column ${column} cannot be compared`
  const named = scan.take(/\w+/y)
  const operator = OPERATORS.find((known) => known === named)
  if (operator === undefined || scan.take(/\./y) === undefined)
    return `the operator must be one of ${OPERATORS.join(', ')}`
  const texts = operator === 'in' ? readList(scan) : readValue(scan)
  if (typeof texts === 'string') return texts
  const values = texts.flatMap((text) => readComparable(type, text) ?? [])
  if (values.length < texts.length) return `a value of ${column} is no ${type}`
  return { column, type, operator, values }
}

function readValue(scan: Scanner): string[] | string {
  const quoted = readQuoted(scan)
  return [quoted ?? scan.take(/[^,]*/y) ?? '']
}

function readList(scan: Scanner): string[] | string {
  if (scan.take(/\(/y) === undefined) return 'in takes a list in parentheses'
  const values: string[] = []
  do {
    scan.take(/\s+/y)
    values.push(readQuoted(scan) ?? scan.take(/[^,()"]*/y)?.trimEnd() ?? '')
    if (values.length > MOST_VALUES) return `in takes at most ${MOST_VALUES} values`
    scan.take(/\s+/y)
  } while (scan.take(/,/y) !== undefined)
  return scan.take(/\)/y) === undefined ? 'the list of in does not end' : values
}

/** A value in double quotes, in which a backslash takes the next character as it is. */
function readQuoted(scan: Scanner): string | undefined {
  return scan
    .take(/"(?:[^"\\]|\\.)*"/sy)
    ?.slice(1, -1)
    .replaceAll(/\\(.)/gs, '$1')
}

interface Scanner {
  /** Moves past what a sticky pattern matches here. */
  take: (pattern: RegExp) => string | undefined
  isAtEnd: () => boolean
}

function createScanner(text: string): Scanner {
  let at = 0
  return {
    take: (pattern) => {
      pattern.lastIndex = at
      const found = pattern.exec(text)?.[0]
      if (found !== undefined) at += found.length
      return found
    },
    isAtEnd: () => at === text.length,
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function refuse(reason: string): ParsedFilter {
  return { ok: false, reason }
}
