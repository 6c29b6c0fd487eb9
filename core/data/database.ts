import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import pg from 'pg'
import { openPool } from './connection/open-pool.ts'
import { prepareStatements } from './connection/prepare-statements.ts'
import { pipelineTransactions, type Transact } from './pipelined-transaction.ts'
import type { FollowPool } from './pool-use.ts'
import type { Database } from './schema/tables.ts'
import type { SessionKind } from './session-settings.ts'

/** The pool, or the caller's transaction: every data function takes one. */
export type Db = Kysely<Database> | Transaction<Database>

const JSON_OID = 114
const DATE_OID = 1082
/** Longer than any statement may take on the server: a connection that is silent for longer is dead. */
const SILENCE_MS = 35_000

export interface OpenedDatabase {
  db: Kysely<Database>
  transact: Transact
  /** as Kysely uses them */
  connections: PostgresPool
  close: () => Promise<void>
}

/**
 * Opens a pool. `json` columns arrive as their text (payload templates keep key order and numbers; `jsonb` is parsed as
 * usual), dates as `YYYY-MM-DD`, numeric as text.
 * @param options.url postgres://…, also with several hosts, or of a transaction pooler (connection/open-pool.ts)
 * @param options.byKey every statement finds its rows by key, and there are few texts. Plans are kept, and use indexes,
 * whatever a table's size when they are made
 * @param options.inLine with `byKey`: rows are also read in the order of an index, never sorted
 * @param options.pipelined connections send a statement without waiting for the answer to the one before; `transact`
 * makes use of it
 * @param options.follow is given the pool, whose use metrics show (pool-use.ts)
 * @param options.silenceMs milliseconds after which a connection that does not answer is given up; only tests use fewer
 * @param onError called when an idle connection breaks; the pool replaces it by itself
 */
export function openDatabase(
  options: {
    url: string
    poolSize: number
    name: string
    byKey?: boolean
    inLine?: boolean
    pipelined?: boolean
    follow?: FollowPool
    silenceMs?: number
  },
  onError: (error: Error) => void,
): OpenedDatabase {
  const types = new pg.TypeOverrides()
  types.setTypeParser(JSON_OID, (text) => text)
  types.setTypeParser(DATE_OID, (text) => text)
  const kind: SessionKind = options.inLine === true ? 'in_line' : options.byKey === true ? 'by_key' : 'plain'
  const { pool, connect } = openPool(options.url, kind, {
    max: options.poolSize,
    pipeline: options.pipelined === true,
    application_name: options.name,
    connectionTimeoutMillis: 5000,
    // The server's limit does not help on a connection that a firewall has forgotten or whose machine is gone.
    query_timeout: options.silenceMs ?? SILENCE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
  })
  pool.on('error', onError)
  options.follow?.(pool)
  const open = new Set<Promise<void>>()
  pool.on('connect', (client) => {
    // A connection that breaks during a query fails the query; without a listener it would also end the process.
    client.on('error', () => undefined)
    const ended = new Promise<void>((resolve) => {
      client.once('end', resolve)
    })
    open.add(ended)
    void ended.then(() => open.delete(ended))
  })
  const connections: PostgresPool = {
    options: pool.options,
    end: () => pool.end(),
    connect: prepareStatements(connect, kind),
  }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: connections }) })
  return {
    db,
    connections,
    transact: pipelineTransactions(connections),
    close: async () => {
      // We end the pool ourselves: Kysely ends only a pool that it has used, not one that has run nothing but
      // `transact`.
      await pool.end()
      // `end` does not wait until the pool's connections are closed, so we do.
      await Promise.all(open)
    },
  }
}

/**
 * Checks that the migrated database is reachable and can be written. Used by /readyz.
 * @throws the driver's error if not
 */
export async function pingDatabase(db: Db): Promise<void> {
  // This locks no row, and fails if nothing may be written.
  await db.executeQuery(CompiledQuery.raw('select 1 from kysely_migration where false for update'))
}
