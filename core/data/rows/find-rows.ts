import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { RowTable } from '#core/contract/rows/row-tables.ts'
import type { Db } from '../database.ts'
import type { Database } from '../schema/tables.ts'
import type { KeptSpan } from '../webhooks/logs/log-filter.ts'
import { holdsFor, orderOf } from './condition-sql.ts'
import { findLeadRows, selectAllLeads } from './lead-rows.ts'
import { findLogRows, selectAllLogs } from './log-rows.ts'
import { BALANCE_COLUMNS, WEBHOOK_COLUMNS } from './row-columns.ts'
import { isOwned, type RowOwner } from './row-owner.ts'
import type { RowQuery } from './row-query.ts'
import { readStoredRows, selectAsJson, type StoredRow } from './select-rows.ts'
import { withinTime, withinTimeOf } from './within-time.ts'

export interface AskedRows {
  table: RowTable
  owner: RowOwner
  query: RowQuery
  /** the time for which the log is kept */
  kept: KeptSpan
  /** `exact` counts all rows, if that takes no longer than any statement may; `planned` stops at {@link PLANNED_MOST} */
  count?: 'exact' | 'planned' | undefined
}

export const PLANNED_MOST = 10_000

/**
 * The rows of a query and, if asked for, how many there are without its limit.
 * @throws the driver's error: of class 22 for a value that is none of its column's type, 57014 for a query that takes
 * too long
 */
export async function findRows(
  db: Kysely<Database>,
  asked: AskedRows,
): Promise<{ rows: StoredRow[]; total: number | undefined }> {
  return await withinTime(db, async (trx) => {
    const { count } = asked
    const total = count === undefined ? undefined : await countRows(trx, { ...asked, count })
    return { rows: await readRows(trx, asked), total }
  })
}

/**
 * The rows of a query as a transaction that writes sees them.
 * @throws the driver's error, as {@link findRows}
 */
export async function findRowsIn(trx: Db, asked: AskedRows): Promise<StoredRow[]> {
  return await withinTimeOf(trx, async () => await readRows(trx, asked))
}

async function readRows(trx: Db, { table, owner, query, kept }: AskedRows): Promise<StoredRow[]> {
  switch (table) {
    case 'leads':
      return await findLeadRows(trx, owner, query)
    case 'webhook_delivery_logs':
      return await findLogRows(trx, owner, query, kept)
    default: {
      const { columns, from, key } = PLAIN[table]
      const chosen = Object.fromEntries(query.columns.map((name) => [name, columns[name] ?? sql`null`]))
      return await readStoredRows(
        trx,
        sql`
        /* planned for its values */ select ${selectAsJson(chosen)} from ${from}
        where ${isOwned[table](owner)} and ${holdsFor(table, columns, query)}
        order by ${orderOf(columns, query.order, key)} limit ${query.limit} offset ${query.offset}`,
      )
    }
  }
}

async function countRows(
  trx: Db,
  { table, owner, query, kept, count }: AskedRows & { count: 'exact' | 'planned' },
): Promise<number> {
  const all = await selectAll(trx, { table, owner, query, kept })
  const { rows } = await sql<{ total: number }>`
    /* planned for its values */ select count(*)::int as total
    from (select from (${all}) found ${count === 'planned' ? sql`limit ${PLANNED_MOST}` : sql``}) counted`.execute(
    trx,
  )
  return rows[0]?.total ?? 0
}

async function selectAll(trx: Db, { table, owner, query, kept }: AskedRows): Promise<RawBuilder<unknown>> {
  switch (table) {
    case 'leads':
      return await selectAllLeads(trx, owner, query)
    case 'webhook_delivery_logs':
      return await selectAllLogs(trx, owner, query, kept)
    default: {
      const { columns, from } = PLAIN[table]
      return sql`select from ${from} where ${isOwned[table](owner)} and ${holdsFor(table, columns, query)}`
    }
  }
}

interface PlainTable {
  columns: Readonly<Record<string, RawBuilder<unknown>>>
  from: RawBuilder<unknown>
  key: 'id' | 'client_user_id'
}

/** The tables of which a client has few rows. */
const PLAIN: Readonly<Record<'client_webhook_configs' | 'client_balances', PlainTable>> = {
  client_webhook_configs: { columns: WEBHOOK_COLUMNS, from: sql`client_webhook_configs c`, key: 'id' },
  client_balances: { columns: BALANCE_COLUMNS, from: sql`profiles p`, key: 'client_user_id' },
}
