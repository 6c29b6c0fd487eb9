import { sql, type Kysely } from 'kysely'
import type { Known } from './judge-statement.ts'

/** PostgreSQL's knowledge of the tables that migrations may change. */
export interface Catalogue extends Known {
  /** about as many as there are, by statistics; partitions count for their table */
  rowsOf: (table: string) => number
}

export async function readCatalogue<Tables>(db: Kysely<Tables>): Promise<Catalogue> {
  const [tables, indexes, checks] = await Promise.all([
    sql<{ name: string; rows: number }>`
      select ${NAME} as name, (
        select sum(greatest(part.reltuples, 0))::float8 from pg_partition_tree(c.oid) p join pg_class part on part.oid = p.relid
      ) as rows
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')`.execute(db),
    sql<{ index: string; name: string }>`
      select i.relname as index, ${NAME} as name from pg_index x
      join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
      join pg_namespace n on n.oid = c.relnamespace`.execute(db),
    sql<{ name: string; column: string }>`
      select ${NAME} as name, a.attname as column from pg_constraint k
      join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and k.conkey = array[a.attnum]
      where k.contype = 'c' and k.convalidated and pg_get_constraintdef(k.oid) ~* 'is not null\\)+$'`.execute(
      db,
    ),
  ])
  const rows = new Map(tables.rows.map((table) => [table.name, table.rows]))
  const tableOf = new Map(indexes.rows.map(({ index, name }) => [index, name]))
  const neverNull = new Set(checks.rows.map(({ name, column }) => `${name} ${column}`))
  return {
    rowsOf: (table) => rows.get(table) ?? 0,
    isExisting: (table) => rows.has(table),
    tableOfIndex: (index) => tableOf.get(index.split('.').at(-1) ?? index),
    isNeverNull: (table, column) => neverNull.has(`${table} ${column}`),
  }
}

/** As in a plan: without the schema, if that is `public`. */
const NAME = sql`case when n.nspname = 'public' then c.relname else n.nspname || '.' || c.relname end`
