import { crc32 } from 'node:zlib'
import type { RealtimeTable } from '#core/contract/realtime/realtime-tables.ts'
import { columnType } from '#core/contract/rows/row-tables.ts'
import { matchesFilter, parseRowFilter, type RowFilter } from '#core/domain/realtime/row-filter.ts'
import type { RowChange } from '../feed/feed.ts'
import type { AskedBinding } from './read-join.ts'

const EVENTS = ['*', 'INSERT', 'UPDATE', 'DELETE'] as const
const SCHEMA = 'public'

/** One binding of a channel that its person may hear. */
export interface Binding {
  id: number
  event: (typeof EVENTS)[number]
  /** the tables, each with its conditions */
  tables: ReadonlyMap<RealtimeTable, RowFilter>
  /** the columns that are sent; undefined: all */
  select: readonly string[] | undefined
}

/** A binding with its number, which the messages for it name. */
export interface NumberedBinding extends AskedBinding {
  id: number
}

/** Numbers bindings by their content: equal ones share a number, also after the client has joined again. */
export function numberBindings(asked: readonly AskedBinding[]): NumberedBinding[] {
  return asked.map((binding) => {
    const { event, schema, table, filter, select } = binding
    // The client library ignores a binding without a number, or with 0.
    return { ...binding, id: crc32(JSON.stringify([event, schema, table, filter, select])) || 1 }
  })
}

/**
 * Decides what a person hears by these bindings. One that cannot be heard fails all, as in the client library's realtime
 * service.
 * @param mayHear the tables of the person's role; any other table is as unknown as one that does not exist
 * @returns the reason as text, worded as that service does
 */
export function judgeBindings(
  asked: readonly NumberedBinding[],
  mayHear: ReadonlySet<RealtimeTable>,
): Binding[] | string {
  const judged = asked.map((binding) => judgeBinding(binding, mayHear))
  return judged.find((one) => typeof one === 'string') ?? judged.filter((one) => typeof one !== 'string')
}

function judgeBinding(asked: NumberedBinding, mayHear: ReadonlySet<RealtimeTable>): Binding | string {
  const event = EVENTS.find((known) => known === asked.event.toUpperCase())
  const named = findTables(asked, mayHear)
  if (event === undefined || named.length === 0) return cannotHear(asked)
  const tables = new Map<RealtimeTable, RowFilter>()
  for (const table of named) {
    const unknown = asked.select?.find((column) => columnType(table, column) === undefined)
    if (unknown !== undefined)
      return `Error parsing \`select\` params: ${JSON.stringify(asked.select)}: column ${unknown} does not exist in ${table}`
    const parsed = parseFilter(table, asked.filter)
    if (!parsed.ok)
      return `Error parsing \`filter\` params: ${JSON.stringify([asked.filter])}: ${parsed.reason}`
    tables.set(table, parsed.filter)
  }
  return { id: asked.id, event, tables, select: asked.select ?? undefined }
}

function parseFilter(table: RealtimeTable, text: string | null | undefined) {
  return (text ?? '') === '' ? { ok: true as const, filter: [] } : parseRowFilter(table, text ?? '')
}

function findTables({ schema, table }: AskedBinding, mayHear: ReadonlySet<RealtimeTable>): RealtimeTable[] {
  if (schema !== SCHEMA && schema !== '*') return []
  return [...mayHear].filter((known) => (table ?? '*') === '*' || known === table)
}

function cannotHear({ event, schema, table, filter, select }: AskedBinding): string {
  const named = [
    `event: ${event}`,
    `schema: ${schema ?? 'nil'}`,
    `table: ${table ?? '*'}`,
    `filters: ${JSON.stringify([filter ?? []].flat())}`,
    `select: ${select ? JSON.stringify(select) : 'nil'}`,
  ]
  return `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${named.join(', ')}]`
}

/** A message about one change, for all bindings that want the same columns. */
export interface ChangeMessage {
  ids: number[]
  select: readonly string[] | undefined
}

/** The messages about a change on a channel; none if no binding wants it. */
export function listMessages(bindings: readonly Binding[], change: RowChange): ChangeMessage[] {
  const messages = new Map<string, ChangeMessage>()
  for (const { id, event, tables, select } of bindings) {
    const filter = tables.get(change.table)
    if ((event !== '*' && event !== change.type) || filter === undefined) continue
    if (!matchesFilter(filter, change.record ?? change.old_record ?? {})) continue
    const key = select === undefined ? '*' : select.join()
    const message = messages.get(key) ?? { ids: [], select }
    messages.set(key, message)
    if (!message.ids.includes(id)) message.ids.push(id)
  }
  return [...messages.values()]
}

const written = new WeakMap<RowChange, string>()

/** The `data` of a message as JSON text. Without a selection of columns it is made once for all channels. */
export function writeChange(change: RowChange, select: readonly string[] | undefined): string {
  if (select !== undefined) return writeColumns(change, (name) => select.includes(name))
  const known = written.get(change)
  if (known !== undefined) return known
  const text = writeColumns(change, () => true)
  written.set(change, text)
  return text
}

function writeColumns(change: RowChange, isWanted: (name: string) => boolean): string {
  const { table, type, commit_timestamp, columns, record, old_record } = change
  const pick = (row: RowChange['record']) =>
    row === null ? undefined : Object.fromEntries(Object.entries(row).filter(([name]) => isWanted(name)))
  return JSON.stringify({
    schema: SCHEMA,
    table,
    commit_timestamp,
    type,
    columns: columns.filter(({ name }) => isWanted(name)),
    record: type === 'DELETE' ? undefined : pick(record),
    old_record: type === 'INSERT' ? undefined : pick(old_record),
    errors: null,
  })
}
