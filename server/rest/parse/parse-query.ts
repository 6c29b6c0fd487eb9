import type { RowCondition, RowOrder } from '#core/data/rows/row-query.ts'
import { RestError, unparsable, unsupported } from '../rest-error.ts'
import { parseFilter, parseLogic, MOST_CONDITIONS, type Budget } from './parse-filter.ts'
import { parseOrder } from './parse-order.ts'
import { parseColumns, parseSelect, type Selection } from './parse-select.ts'

/** A query string, parsed: nothing in it is checked against a table yet. */
export interface RestQuery {
  select: Selection
  /** all of them must hold */
  where: readonly RowCondition[]
  order: readonly RowOrder[]
  limit: number | undefined
  offset: number
  columns: readonly string[] | undefined
}

/** Fields of a query string by their names (server/http/body/read-form.ts). */
export type QueryFields = Readonly<Record<string, string | readonly string[]>>

const LOGIC = /^(?:not\.)?(?:and|or)$/
const OF_EMBEDDED = /^([^."]+)\.(?!$)/

/** Parses a query string. @throws RestError */
export function parseQuery(fields: QueryFields): RestQuery {
  const select = parseSelect(single(fields, 'select'))
  const budget: Budget = { left: MOST_CONDITIONS }
  const where: RowCondition[] = []
  for (const [name, given] of Object.entries(fields)) {
    if (OWN_FIELDS.has(name)) continue
    if (name === 'on_conflict') throw unsupported('Upsert (on_conflict) is')
    for (const text of typeof given === 'string' ? [given] : given) {
      if (LOGIC.test(name)) where.push(parseLogic(name, text, budget))
      else where.push(parseFilter(readColumn(name, select), text, budget))
    }
  }
  return {
    select,
    where,
    order: parseOrder(single(fields, 'order')),
    limit: readCount(fields, 'limit'),
    offset: readCount(fields, 'offset') ?? 0,
    columns: parseColumns(single(fields, 'columns')),
  }
}

const OWN_FIELDS: ReadonlySet<string> = new Set(['select', 'order', 'limit', 'offset', 'columns'])

function single(fields: QueryFields, name: string): string | undefined {
  const given = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (given === undefined || typeof given === 'string') return given
  throw unparsable(name, given.join('&'), 0, `unexpected second "${name}"`)
}

/** Larger numbers mean "all" and "past the end" alike. */
const LARGEST = 1_000_000_000

function readCount(fields: QueryFields, name: 'limit' | 'offset'): number | undefined {
  const text = single(fields, name)
  if (text === undefined || text === '') return undefined
  if (!/^[+-]?\d+$/.test(text)) throw unparsable(name, text, 0, 'unexpected text expecting a whole number')
  const number = Math.max(-LARGEST, Math.min(Number(text), LARGEST))
  if (name === 'limit' && number < 0)
    throw rangeUnsatisfiable('Limit should be greater than or equal to zero.')
  return Math.max(number, 0)
}

/** The column that a filter's name means. */
function readColumn(name: string, { embeds }: Selection): string {
  if (name.includes('->')) throw unsupported('JSON paths (->) are')
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(name)
  if (quoted !== null) return (quoted[1] ?? '').replaceAll(/\\(.)/g, '$1')
  const [, resource] = OF_EMBEDDED.exec(name) ?? []
  if (resource === undefined) return name
  if (embeds.some((embed) => embed.name === resource))
    throw unsupported('Filtering, ordering and limiting an embedded resource is')
  throw new RestError(
    400,
    'PGRST108',
    `'${resource.slice(0, 100)}' is not an embedded resource in this request`,
    {
      hint: `Verify that '${resource.slice(0, 100)}' is included in the 'select' query parameter.`,
    },
  )
}

/** @param total number of all rows, if it was asked for */
export function rangeUnsatisfiable(details: string, total?: number): RestError {
  const headers = total === undefined ? {} : { 'Content-Range': `*/${total}` }
  return new RestError(416, 'PGRST103', 'Requested range not satisfiable', { details, headers })
}
