import type pg from 'pg'

type Settings = Readonly<Record<string, string>>

/**
 * How a session plans its statements: `plain` as PostgreSQL likes, `by_key` and `in_line` as said below. `migration` has no time limits.
 * Behind a transaction pooler each of the first three has a role of its own (docs/operations/README.md).
 */
export type SessionKind = 'plain' | 'by_key' | 'in_line' | 'migration'

/**
 * Settings that every session of ours relies on, whatever the defaults of the server, the database or the role. The driver reads times only
 * in ISO form and bytes only as hex, and writes a null in an array without quotes. Statements that lock and look again need READ COMMITTED.
 * Days and weeks of the log are those of UTC. Tables of ours lie in `public`, or are named with their schema.
 * JIT compiles for longer than any statement of ours runs: up to PostgreSQL 17, `enable_seqscan=off` alone makes a plan dear enough for it.
 * Values are written as PostgreSQL shows them.
 */
const RELIED_ON: Settings = {
  array_nulls: 'on',
  bytea_output: 'hex',
  client_encoding: 'UTF8',
  datestyle: 'ISO, MDY',
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  idle_session_timeout: '0',
  intervalstyle: 'postgres',
  jit: 'off',
  lock_timeout: '0',
  search_path: 'public',
  standard_conforming_strings: 'on',
  timezone: 'UTC',
  transform_null_equals: 'off',
}

/** A server may have been told otherwise, or one role given what another needs. */
const PLANNED_FREELY: Settings = {
  enable_bitmapscan: 'on',
  enable_hashjoin: 'on',
  enable_incremental_sort: 'on',
  enable_mergejoin: 'on',
  enable_seqscan: 'on',
  enable_sort: 'on',
  plan_cache_mode: 'auto',
}

const PLAIN: Settings = {
  ...RELIED_ON,
  ...PLANNED_FREELY,
  // A statement that hangs must not hold a worker's slot for ever; nothing of ours needs longer.
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '30s',
  // Every statement is answered sooner than other processes could be set to help with it (6 to 15 ms); PostgreSQL would, where it
  // takes few rows for many.
  max_parallel_workers_per_gather: '0',
}

/**
 * A kept plan that was made while a table was small would go on to read all of it when it is large. And it is kept: for an
 * array of ids PostgreSQL would rather make a plan of its own each time, which takes longer than to run it.
 */
const BY_KEY: Settings = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
}

/**
 * For statements that take the first of what an index has in order: a kept plan that was made while nothing waited would as soon
 * read all that waits, and sort it.
 */
const IN_LINE: Settings = { enable_sort: 'off', enable_incremental_sort: 'off', enable_bitmapscan: 'off' }

/** PostgreSQL before 17 does not know it, and opens no session that names it: it is set once the session is open. */
const LIFTED: Settings = { transaction_timeout: '0' }

const SETTINGS: Readonly<Record<SessionKind, Settings>> = {
  plain: PLAIN,
  by_key: { ...PLAIN, ...BY_KEY },
  in_line: { ...PLAIN, ...BY_KEY, ...IN_LINE },
  migration: {
    ...RELIED_ON,
    ...PLANNED_FREELY,
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
  },
}

/** Everything that a session of this kind must have, by name, as PostgreSQL shows it; where a version knows no such setting, it has none. */
export function listSettings(kind: SessionKind): Settings {
  return { ...SETTINGS[kind], ...LIFTED }
}

/** The options by the names of the driver's pool. A client without a pool calls `onConnect` by itself. */
export interface SessionOptions {
  connectionString: string
  options: string
  onConnect: (client: pg.ClientBase) => Promise<void>
}

/** Behind a transaction pooler: the addresses of the two roles beside the plain one, postgres://… */
export interface PooledRoles {
  by_key: string
  in_line: string
}

/**
 * Builds the options of a connection so that its session has our settings. PostgreSQL takes the last of two settings of one name, so
 * those that an operator gives with the URL (`?options=`) hold where they contradict none of ours.
 * @param url postgres://…
 */
export function openWithSettings(url: string, kind: SessionKind): SessionOptions {
  const address = new URL(url)
  const given = address.searchParams.getAll('options')
  address.searchParams.delete('options')
  const ours = Object.entries(SETTINGS[kind]).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`,
  )
  return {
    // Untouched where nothing was taken out of it: a URL that is written anew may name the same place in other letters.
    connectionString: given.length === 0 ? url : address.href,
    options: [...given, ...ours].join(' '),
    onConnect: liftLimits,
  }
}

async function liftLimits(client: pg.ClientBase): Promise<void> {
  await client.query(
    `select set_config(name, value, false) from json_each_text($1::json) as lifted (name, value)
     where current_setting(name, true) <> value`,
    [JSON.stringify(LIFTED)],
  )
}
