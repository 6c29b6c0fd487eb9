import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { pipelineTransactions, type Transact } from './pipelined-transaction.ts'
import type { Database } from './schema/tables.ts'
import { openWithSettings, type PooledRoles, type SessionKind } from './session-settings.ts'

/** The pool, or the caller's transaction: every data function takes one. */
export type Db = Kysely<Database> | Transaction<Database>

const JSON_OID = 114
const DATE_OID = 1082
/** Longer than any statement may take on the server: a connection that is silent for longer is dead. */
const SILENCE_MS = 35_000
/** pg's message (version 8.23); the error has no code. */
const READ_TIMEOUT = 'Query read timeout'
/**
 * The connection reached a server that is read-only: a standby that had the address for a moment, or a host whose disk
 * is full. It stays read-only; the next connection may reach the new owner of the address.
 */
const IS_READ_ONLY = '25006'
/** Statements this long cost more to plan than to run. */
const PREPARED_FROM_CHARACTERS = 1000
/**
 * Stands at the head of a statement whose best plan depends on its values: clients have few leads or many, and states
 * are common or rare.
 */
const PLANNED_EACH_TIME = '/* planned for its values */'
/**
 * Limit of prepared statements on a connection, which keeps them for its whole life. Only the combinations of a list's
 * filters make so many different statements. Statements beyond the limit are planned each time.
 */
const MOST_PREPARED = 300
/**
 * Opens a pool. `json` columns arrive as their text (payload templates keep key order and numbers; `jsonb` is parsed as
 * usual), dates as `YYYY-MM-DD`, numeric as text.
 * @param options.pooled behind a transaction pooler, which takes no start-up parameters: the addresses of the other two
 * roles
 * @param options.byKey every statement finds its rows by key, and there are few texts. Plans are kept, and use indexes,
 * whatever a table's size when they are made
 * @param options.inLine with `byKey`: rows are also read in the order of an index, never sorted
 * @param options.pipelined connections send a statement without waiting for the answer to the one before; `transact`
 * makes use of it
 * @param options.silenceMs milliseconds after which a connection that does not answer is given up; only tests use fewer
 * @param onError called when an idle connection breaks; the pool replaces it by itself
 */
export function openDatabase(
  options: {
    url: string
    pooled?: PooledRoles | undefined
    poolSize: number
    name: string
    byKey?: boolean
    inLine?: boolean
    pipelined?: boolean
    silenceMs?: number
  },
  onError: (error: Error) => void,
): { db: Kysely<Database>; transact: Transact; close: () => Promise<void> } {
  const types = new pg.TypeOverrides()
  types.setTypeParser(JSON_OID, (text) => text)
  types.setTypeParser(DATE_OID, (text) => text)
  const pool = new pg.Pool({
    ...openSession(options),
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
  const connections = preparing(pool, options.byKey === true ? 0 : PREPARED_FROM_CHARACTERS)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: connections }) })
  return {
    db,
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

function openSession({
  url,
  pooled,
  byKey = false,
  inLine = false,
}: Parameters<typeof openDatabase>[0]): pg.PoolConfig {
  const kind: Exclude<SessionKind, 'migration'> = inLine ? 'in_line' : byKey ? 'by_key' : 'plain'
  return pooled === undefined
    ? openWithSettings(url, kind)
    : { connectionString: { plain: url, ...pooled }[kind] }
}

/**
 * Checks that the migrated database is reachable and can be written. Used by /readyz.
 * @throws the driver's error if not
 */
export async function pingDatabase(db: Db): Promise<void> {
  // This locks no row, and fails if nothing may be written.
  await db.executeQuery(CompiledQuery.raw('select 1 from kysely_migration where false for update'))
}

/** Wraps a pool: its connections prepare every statement of at least this length under a name, and keep its plan. */
function preparing(pool: pg.Pool, fromCharacters: number): PostgresPool {
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    if (text.trimStart().startsWith(PLANNED_EACH_TIME)) return undefined
    const known = names.get(text)
    if (known !== undefined || names.size >= MOST_PREPARED) return known
    const name = `leadwire_${names.size + 1}`
    names.set(text, name)
    return name
  }
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect()
      let isSilent = false
      let isLost = false
      const query = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
        // The connection is silent, so a rollback would only wait once more.
        if (isSilent) throw new Error('The database connection fell silent')
        try {
          const name = values.length === 0 || text.length < fromCharacters ? undefined : nameOf(text)
          return await (name === undefined
            ? client.query(text, [...values])
            : client.query({ name, text, values: [...values] }))
        } catch (error) {
          isSilent = error instanceof Error && error.message === READ_TIMEOUT
          // After a fatal error the server hangs up; without this, the next user of the connection would be the first
          // to notice.
          isLost ||=
            error instanceof pg.DatabaseError && (error.severity === 'FATAL' || error.code === IS_READ_ONLY)
          throw error
        }
      }
      return {
        // Kysely uses the overload with a cursor only for streaming, which nothing here does.
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy) => {
          client.release(isSilent || isLost || destroy)
        },
      }
    },
  }
}
