import pg from 'pg'
import { isDatabaseAway } from '../is-database-away.ts'
import { listSettings, openWithSettings, type SessionKind } from '../session-settings.ts'
import { addressOf, type Address, type Pooler } from './address.ts'
import { readRefusal } from './read-refusal.ts'

/** A connection of the pool, and the pooler that it leads to, if it does. */
export interface OpenedConnection {
  client: pg.PoolClient
  pooler: Pooler | undefined
}

/** Codes of sockets, beside those that `isDatabaseAway` knows. */
const UNREACHABLE = /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/

/** The server keeps its own settings for the session, so a pooler gives each transaction another one. */
class SettingsLostError extends Error {}

const LOST = 'The settings do not reach the session'

/** The server is a standby, and another host is asked. */
class StandbyError extends Error {
  // PostgreSQL's code for a server that is read-only, so that callers try again.
  readonly code = '25006'
}

/**
 * A pool that finds out by itself where its URL leads. With several hosts it connects to the first that can be written,
 * and to another one after a failover. Where a transaction pooler answers, connections ask for no settings
 * (set-in-transactions.ts); only migrations need PostgreSQL itself.
 * @param options of the driver's pool
 */
export function openPool(
  url: string,
  kind: SessionKind,
  options: pg.PoolConfig,
): { pool: pg.Pool; connect: () => Promise<OpenedConnection> } {
  const address = addressOf(url)
  const poolers = new WeakMap<pg.ClientBase, Pooler>()
  const needsPrimary = address.hosts.length > 1 || address.hosts[0] !== url
  const pool = new pg.Pool(options)
  // The pool waits for the promise; its types do not say so.
  Object.assign(pool.options, { onConnect: checkSession })

  async function checkSession(client: pg.ClientBase): Promise<void> {
    const { pooler } = address
    if (pooler !== undefined) {
      // It was opened before another connection met the pooler.
      if (!('pipeline' in client && client.pipeline === true)) throw new SettingsLostError(LOST)
      poolers.set(client, pooler)
    }
    if (pooler !== undefined && !needsPrimary) return
    const { isStandby, lost } = await confirm(client, kind, pooler === undefined)
    if (needsPrimary && isStandby) throw new StandbyError('The server is a standby')
    if (lost && kind !== 'migration') throw new SettingsLostError(LOST)
  }

  const inSessions = address.hosts.map((host) => {
    const { connectionString, options: settings } = openWithSettings(host, kind)
    return { connectionString, options: settings }
  })
  // Behind a pooler, settings and statement are sent together.
  const pooled = address.hosts.map((connectionString) => ({
    connectionString,
    options: undefined,
    pipeline: true,
  }))
  let arranged: object | undefined
  /** The pool reads its options whenever it opens a connection. */
  function arrange(): void {
    const wanted = (address.pooler === undefined ? inSessions : pooled)[address.first]
    if (wanted === arranged) return
    arranged = wanted
    Object.assign(pool.options, wanted)
  }

  async function connect(): Promise<OpenedConnection> {
    for (let left = 2 * address.hosts.length; ; left -= 1) {
      arrange()
      const { first } = address
      try {
        const client = await pool.connect()
        return { client, pooler: poolers.get(client) }
      } catch (error) {
        if (left <= 0 || !(await learn(address, first, kind, error))) throw error
      }
    }
  }
  return { pool, connect }
}

/** @returns whether another try makes sense */
async function learn(address: Address, tried: number, kind: SessionKind, error: unknown): Promise<boolean> {
  const isPooled = error instanceof SettingsLostError || readRefusal(error) === 'start-up'
  if (isPooled && kind !== 'migration') {
    // Loaded only where there is a pooler.
    const { meetPooler } = await import('./meet-pooler.ts')
    address.pooler ??= await meetPooler(address.hosts[tried] ?? '')
    return true
  }
  if (address.hosts.length === 1 || !isElsewhere(error)) return false
  // Another caller may have moved on meanwhile.
  if (address.first === tried) address.first = (tried + 1) % address.hosts.length
  return true
}

function isElsewhere(error: unknown): boolean {
  if (error instanceof StandbyError || isDatabaseAway(error)) return true
  if (!(error instanceof Error)) return false
  return 'code' in error ? UNREACHABLE.test(String(error.code)) : error.message === 'timeout expired'
}

/** Lifts the limits that a session cannot be opened without, and reads what it is. */
async function confirm(
  client: pg.ClientBase,
  kind: SessionKind,
  hasSettings: boolean,
): Promise<{ isStandby: boolean; lost: boolean }> {
  const { rows } = await client.query<{ is_standby: boolean; lost: boolean }>(
    `select pg_is_in_recovery() as is_standby,
       coalesce(bool_or(case name when 'transaction_timeout' then set_config(name, value, false) else current_setting(name, true) end <> value), false) as lost
     from json_each_text($1::json) as setting (name, value) where current_setting(name, true) is not null`,
    [JSON.stringify(hasSettings ? listSettings(kind) : {})],
  )
  return { isStandby: rows[0]?.is_standby === true, lost: rows[0]?.lost === true }
}
