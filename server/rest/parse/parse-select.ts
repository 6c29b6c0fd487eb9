import { RestError, unsupported } from '../rest-error.ts'
import { fail, isAtEnd, openCursor, readName, require, skipSpaces, take, type Cursor } from './cursor.ts'

/** A list of columns; `all` for `*`. */
export interface Selection {
  columns: 'all' | readonly string[]
  embeds: readonly { name: string; columns: 'all' | readonly string[] }[]
}

const MOST_ITEMS = 100
const ALL: Selection = { columns: 'all', embeds: [] }

/** Parses `select=`. Without one, all columns are meant. @throws RestError */
export function parseSelect(text: string | undefined): Selection {
  if (text === undefined || text.trim() === '') return ALL
  const cursor = openCursor('select parameter', text)
  const selection = readItems(cursor, 0)
  if (!isAtEnd(cursor)) throw fail(cursor, '"," or end of input')
  return selection
}

function readItems(cursor: Cursor, depth: number): Selection {
  const columns: string[] = []
  const embeds: { name: string; columns: Selection['columns'] }[] = []
  let isAll = false
  do {
    skipSpaces(cursor)
    if (columns.length + embeds.length >= MOST_ITEMS) throw fail(cursor, `at most ${MOST_ITEMS} columns`)
    if (take(cursor, '...')) throw unsupported('Spreading an embedded resource (...) is')
    if (take(cursor, '*')) {
      isAll = true
      skipSpaces(cursor)
      continue
    }
    const name = readName(cursor)
    refuseExtras(cursor, name)
    if (!take(cursor, '(')) {
      columns.push(name)
      skipSpaces(cursor)
      continue
    }
    if (name === 'count' && take(cursor, ')')) throw noAggregates()
    if (depth > 0) throw unsupported('Embedding within an embedded resource is')
    embeds.push({ name, columns: readEmbed(cursor) })
    skipSpaces(cursor)
  } while (take(cursor, ','))
  return { columns: isAll ? 'all' : columns, embeds }
}

function readEmbed(cursor: Cursor): Selection['columns'] {
  skipSpaces(cursor)
  if (take(cursor, ')')) return []
  const { columns } = readItems(cursor, 1)
  require(cursor, ')')
  return columns
}

/** Everything that may follow a name in PostgREST's language and is not offered. */
function refuseExtras(cursor: Cursor, name: string): void {
  const { text, at } = cursor
  if (text.startsWith('::', at)) throw unsupported('Casts (::) are')
  if (text[at] === ':') throw unsupported('Renaming in a select list (alias:column) is')
  if (text.startsWith('->', at)) throw unsupported('JSON paths (->) are')
  if (text[at] === '!') throw unsupported(`Hints and join types (${name}!…) are`)
  if (text[at] === '.') throw noAggregates()
}

function noAggregates(): RestError {
  return new RestError(400, 'PGRST123', 'Use of aggregate functions is not allowed')
}

/** Parses `columns=`: the names of a body that count. @throws RestError */
export function parseColumns(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined
  const cursor = openCursor('columns parameter', text)
  const names: string[] = []
  do {
    if (names.length >= MOST_ITEMS) throw fail(cursor, `at most ${MOST_ITEMS} columns`)
    names.push(readName(cursor))
    skipSpaces(cursor)
  } while (take(cursor, ','))
  if (!isAtEnd(cursor)) throw fail(cursor, '"," or end of input')
  return names
}
