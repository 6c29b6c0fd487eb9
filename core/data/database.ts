import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Database } from './tables.ts'

/** What a data function needs: the pool, or a transaction when the caller holds one. */
export type Db = Kysely<Database> | Transaction<Database>

const JSON_OID = 114
const DATE_OID = 1082

/**
 * Opens a pool.
 * `json` columns arrive as their text (payload templates keep key order and numbers; `jsonb` is parsed as usual), dates
 * as `YYYY-MM-DD`, numeric as text.
 * @param onError called when an idle connection breaks; the pool replaces it by itself
 */
export function openDatabase(
  options: { url: string; poolSize: number; name: string },
  onError: (error: Error) => void,
): { db: Kysely<Database>; close: () => Promise<void> } {
  const types = new pg.TypeOverrides()
  types.setTypeParser(JSON_OID, (text) => text)
  types.setTypeParser(DATE_OID, (text) => text)
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.name,
    connectionTimeoutMillis: 5000,
    // A statement that hangs must not hold a worker's slot for ever; nothing of ours needs longer.
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    types,
  })
  pool.on('error', onError)
  // A connection that breaks at work fails its query; without a listener it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  return { db, close: () => db.destroy() }
}

/** Is the database there? Used by /readyz. @throws the driver's error when it is not */
export async function pingDatabase(db: Db): Promise<void> {
  await db.executeQuery(CompiledQuery.raw('select 1'))
}
