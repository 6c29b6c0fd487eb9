import { COMPARISONS, ROW_TESTS, type RowCondition } from '#core/data/rows/row-query.ts'
import { unsupported } from '../rest-error.ts'
import {
  fail,
  isAtEnd,
  openCursor,
  readName,
  readQuoted,
  require,
  skipSpaces,
  take,
  type Cursor,
} from './cursor.ts'

/** Nested deeper, or with more conditions, a query would cost more than any screen needs. */
export const DEEPEST = 8
export const MOST_CONDITIONS = 100
export const MOST_VALUES = 1000

/** Operators of PostgREST that are not offered. */
const OTHERS: ReadonlySet<string> = new Set(
  'match imatch isdistinct fts plfts phfts wfts cs cd ov sl sr nxr nxl adj'.split(' '),
)
const OPERATOR = /[a-z]+/y

/** Counts the conditions of a whole query. */
export interface Budget {
  left: number
}

/** Parses `column=not.op.value`. The value is all that follows its operator. @throws RestError */
export function parseFilter(column: string, text: string, budget: Budget): RowCondition {
  const cursor = openCursor('filter', text)
  spend(cursor, budget)
  const isTurned = take(cursor, 'not.')
  const operator = readOperator(cursor)
  require(cursor, '.')
  const condition = readOperand(cursor, column, operator, () => {
    const value = text.slice(cursor.at)
    cursor.at = text.length
    return value
  })
  if (!isAtEnd(cursor)) throw fail(cursor, 'end of input')
  return turn(condition, isTurned)
}

/** Parses `or=(…)`, `and=(…)` and their negations. @throws RestError */
export function parseLogic(name: string, text: string, budget: Budget): RowCondition {
  const isTurned = name.startsWith('not.')
  const kind = name.endsWith('and') ? 'and' : 'or'
  const cursor = openCursor('logic tree', text)
  skipSpaces(cursor)
  const condition = readGroup(cursor, kind, budget, 1)
  skipSpaces(cursor)
  if (!isAtEnd(cursor)) throw fail(cursor, 'end of input')
  return turn(condition, isTurned)
}

function readGroup(cursor: Cursor, kind: 'and' | 'or', budget: Budget, depth: number): RowCondition {
  if (depth > DEEPEST) throw fail(cursor, `at most ${DEEPEST} levels`)
  require(cursor, '(')
  const of: RowCondition[] = []
  do {
    of.push(readMember(cursor, budget, depth))
    skipSpaces(cursor)
  } while (take(cursor, ','))
  require(cursor, ')')
  return { kind, of }
}

const GROUP = /(not\.)?(and|or)(?=\()/y

function readMember(cursor: Cursor, budget: Budget, depth: number): RowCondition {
  skipSpaces(cursor)
  spend(cursor, budget)
  GROUP.lastIndex = cursor.at
  const group = GROUP.exec(cursor.text)
  if (group !== null) {
    cursor.at += group[0].length
    return turn(
      readGroup(cursor, group[2] === 'and' ? 'and' : 'or', budget, depth + 1),
      group[1] !== undefined,
    )
  }
  const column = readName(cursor)
  if (cursor.text.startsWith('->', cursor.at)) throw unsupported('JSON paths (->) are')
  require(cursor, '.')
  const isTurned = take(cursor, 'not.')
  const operator = readOperator(cursor)
  require(cursor, '.')
  return turn(
    readOperand(cursor, column, operator, () => readListed(cursor)),
    isTurned,
  )
}

function readOperator(cursor: Cursor): string {
  OPERATOR.lastIndex = cursor.at
  const [name = ''] = OPERATOR.exec(cursor.text) ?? []
  const isKnown = name === 'in' || name === 'is' || COMPARISONS.some((one) => one === name)
  if (OTHERS.has(name)) throw unsupported(`The operator ${name} is`)
  if (!isKnown) throw fail(cursor, 'operator (eq, gt, …)')
  cursor.at += name.length
  if (cursor.text[cursor.at] === '(')
    throw unsupported(`A modifier of an operator (${name}(any), ${name}(all)) is`)
  return name
}

function readOperand(
  cursor: Cursor,
  column: string,
  operator: string,
  readValue: () => string,
): RowCondition {
  if (operator === 'in') return { kind: 'in', column, values: readList(cursor) }
  const start = cursor.at
  const value = readValue()
  const comparison = COMPARISONS.find((one) => one === operator)
  if (comparison !== undefined) return { kind: 'compare', column, operator: comparison, value }
  const test = ROW_TESTS.find((one) => one === value.toLowerCase())
  if (test !== undefined) return { kind: 'is', column, test }
  cursor.at = start
  throw fail(cursor, 'isVal: (null, not_null, true, false, unknown)')
}

function readList(cursor: Cursor): string[] {
  require(cursor, '(')
  const values: string[] = []
  // `in.()` is an empty list; `in.(,)` has two empty texts.
  const rest = /^ *\)/.exec(cursor.text.slice(cursor.at, cursor.at + LONGEST_GAP))
  if (rest !== null) {
    cursor.at += rest[0].length
    return values
  }
  do {
    if (values.length >= MOST_VALUES) throw fail(cursor, `at most ${MOST_VALUES} values`)
    values.push(readListed(cursor))
  } while (take(cursor, ','))
  require(cursor, ')')
  return values
}

const LONGEST_GAP = 100

/** An item of a list: in quotes if a comma or a parenthesis follows them, otherwise all up to the next of these. */
function readListed(cursor: Cursor): string {
  const { text, at: start } = cursor
  if (text[start] === '"') {
    try {
      const value = readQuoted(cursor)
      if (isAtEnd(cursor) || text[cursor.at] === ',' || text[cursor.at] === ')') return value
    } catch {
      // No closing quote: the text is taken as it is.
    }
  }
  let end = start
  while (end < text.length && text[end] !== ',' && text[end] !== ')') end += 1
  cursor.at = end
  return text.slice(start, end)
}

function turn(condition: RowCondition, isTurned: boolean): RowCondition {
  return isTurned ? { kind: 'not', of: condition } : condition
}

function spend(cursor: Cursor, budget: Budget): void {
  budget.left -= 1
  if (budget.left < 0) throw fail(cursor, `at most ${MOST_CONDITIONS} conditions`)
}
