import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import type { TableCost } from './figures.ts'

/** The name of a weekly partition, its indexes and the default ones without what tells them apart. */
const WEEK = '_([0-9]{8}|default)'

/** Rows of a lead below which a table does not grow with leads. */
const LEAST_ROWS = 0.01

interface Row {
  name: string
  rows: number
  heap: number
  index: string | null
  bytes: number
}

/** Bytes and rows of each table so far, partitions added up, after a vacuum. */
export async function readTables(db: Kysely<Database>): Promise<Map<string, TableCost>> {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum (analyze)`.execute(connection)
  })
  const { rows } = await sql<Row>`
    select regexp_replace(c.relname, ${WEEK}, '') as name, sum(greatest(c.reltuples, 0))::float8 as rows,
      sum(pg_table_size(c.oid))::float8 as heap, null as index, 0::float8 as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'auth') group by 1
    union all
    select regexp_replace(c.relname, ${WEEK}, ''), 0, 0, regexp_replace(x.relname, ${WEEK}, ''),
      sum(pg_relation_size(x.oid))::float8
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
      join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'auth') group by 1, 4`.execute(db)
  const tables = new Map<string, TableCost>()
  for (const row of rows.filter(({ index }) => index === null))
    tables.set(row.name, { name: row.name, rows: row.rows, heap: row.heap, indexes: {} })
  for (const { name, index, bytes } of rows) {
    const table = tables.get(name)
    if (index !== null && table !== undefined)
      tables.set(name, { ...table, indexes: { ...table.indexes, [index]: bytes } })
  }
  return tables
}

/** The growth of each table between two readings, for one of `count` leads; tables that do not grow with leads are left out. */
export function gainsOfLead(
  before: ReadonlyMap<string, TableCost>,
  after: ReadonlyMap<string, TableCost>,
  count: number,
): TableCost[] {
  const gains = [...after.values()].map((table) => {
    const old = before.get(table.name)
    const indexes = Object.entries(table.indexes).map(([name, bytes]) => [
      name,
      (bytes - (old?.indexes[name] ?? 0)) / count,
    ])
    return {
      name: table.name,
      rows: (table.rows - (old?.rows ?? 0)) / count,
      heap: (table.heap - (old?.heap ?? 0)) / count,
      indexes: Object.fromEntries(indexes) as Record<string, number>,
    }
  })
  return gains.filter((table) => table.rows >= LEAST_ROWS).toSorted((a, b) => bytesOf(b) - bytesOf(a))
}

/** Bytes of a lead in a table and its indexes. */
export function bytesOf({ heap, indexes }: TableCost): number {
  return heap + Object.values(indexes).reduce((sum, bytes) => sum + bytes, 0)
}
