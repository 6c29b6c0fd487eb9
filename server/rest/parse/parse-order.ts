import type { RowOrder } from '#core/data/rows/row-query.ts'
import { unsupported } from '../rest-error.ts'
import { fail, isAtEnd, openCursor, readName, skipSpaces, take, type Cursor } from './cursor.ts'

const MOST_ITEMS = 10

/** Parses `order=a.desc.nullslast,b`. @throws RestError */
export function parseOrder(text: string | undefined): RowOrder[] {
  if (text === undefined || text.trim() === '') return []
  const cursor = openCursor('order', text)
  const items: RowOrder[] = []
  do {
    if (items.length >= MOST_ITEMS) throw fail(cursor, `at most ${MOST_ITEMS} columns`)
    items.push(readItem(cursor))
    skipSpaces(cursor)
  } while (take(cursor, ','))
  if (!isAtEnd(cursor)) throw fail(cursor, '"," or end of input')
  return items
}

function readItem(cursor: Cursor): RowOrder {
  const column = readName(cursor)
  if (cursor.text.startsWith('->', cursor.at)) throw unsupported('JSON paths (->) are')
  if (cursor.text[cursor.at] === '(') throw unsupported('Ordering by an embedded resource is')
  let isDescending = false
  let nullsFirst: boolean | undefined
  if (take(cursor, '.')) {
    if (take(cursor, 'desc')) isDescending = true
    else if (!take(cursor, 'asc'))
      nullsFirst = readNulls(cursor, '"asc", "desc", "nullsfirst" or "nullslast"')
    if (nullsFirst === undefined && take(cursor, '.'))
      nullsFirst = readNulls(cursor, '"nullsfirst" or "nullslast"')
  }
  return { column, isDescending, nullsFirst: nullsFirst ?? isDescending }
}

function readNulls(cursor: Cursor, expected: string): boolean {
  if (take(cursor, 'nullsfirst')) return true
  if (take(cursor, 'nullslast')) return false
  throw fail(cursor, expected)
}
