import type pg from 'pg'

type Settings = Readonly<Record<string, string>>

/**
 * The ways in which a session plans its statements: `plain` with PostgreSQL's defaults, `by_key` and `in_line` as
 * described below. `migration` has no time limits.
 */
export type SessionKind = 'plain' | 'by_key' | 'in_line' | 'migration'

/**
 * Settings that each of our sessions relies on, whatever the defaults of the server, the database or the role. The
 * driver reads times only in ISO form and bytes only as hex, and writes a null in an array without quotes. Statements
 * that lock and then read again need READ COMMITTED. Days and weeks of the log are in UTC. Our tables are in `public`,
 * or named with their schema. JIT compilation takes longer than any of our statements, and up to PostgreSQL 17
 * `enable_seqscan=off` alone makes a plan seem expensive enough to start it. The values are written as PostgreSQL shows
 * them.
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

/** These are set because a server may have other defaults, or one role may have been given the settings of another. */
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
  // A statement that hangs must not hold a worker's slot for ever; none of ours needs longer.
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '30s',
  // Every statement finishes sooner than parallel processes could be started for it (6 to 15 ms). PostgreSQL would
  // start them when it overestimates the number of rows.
  max_parallel_workers_per_gather: '0',
}

/**
 * For statements that find rows by key. A plan that was cached while a table was small would read the whole table when
 * it is large. Plans are always cached, because for an array of ids PostgreSQL would rather plan each time, which takes
 * longer than running the statement.
 */
const BY_KEY: Settings = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
}

/**
 * For statements that read the first rows in the order of an index. A plan cached while nothing waited could read
 * everything that waits, and sort it.
 */
const IN_LINE: Settings = { enable_sort: 'off', enable_incremental_sort: 'off', enable_bitmapscan: 'off' }

/**
 * PostgreSQL before 17 does not know this setting, and refuses a session that names it, so it is set once the session
 * is open.
 */
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

/**
 * Everything that a session of this kind must have, by name, as PostgreSQL shows it; settings that a version does not
 * know are left out.
 */
export function listSettings(kind: SessionKind): Settings {
  return { ...SETTINGS[kind], ...LIFTED }
}

/** The options by the names of the driver's pool. A client without a pool calls `onConnect` itself. */
export interface SessionOptions {
  connectionString: string
  options: string
  onConnect: (client: pg.ClientBase) => Promise<void>
}

/**
 * Builds the options of a connection so that its session has our settings. If one name is set twice, PostgreSQL takes
 * the last value, so an operator's settings in the URL (`?options=`) apply unless they contradict ours.
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
    // The URL stays untouched if nothing was taken out of it: a rewritten URL may spell the same place differently.
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
