/**
 * Settings that every session of ours relies on, whatever the defaults of the server, the database or the role. The driver reads times only
 * in ISO form and bytes only as hex, and writes a null in an array without quotes. Statements that lock and look again need READ COMMITTED.
 * Days and weeks of the log are those of UTC.
 * JIT compiles for longer than any statement of ours runs: up to PostgreSQL 17, `enable_seqscan=off` alone makes a plan dear enough for it.
 */
const RELIED_ON: Readonly<Record<string, string>> = {
  array_nulls: 'on',
  bytea_output: 'hex',
  datestyle: 'ISO,MDY',
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  intervalstyle: 'postgres',
  jit: 'off',
  lock_timeout: '0',
  standard_conforming_strings: 'on',
  timezone: 'UTC',
  transform_null_equals: 'off',
}

/**
 * Builds the options of a connection so that its session has our settings. PostgreSQL takes the last of two settings of one name, so
 * those that an operator gives with the URL (`?options=`) hold where they contradict none of ours.
 * @param url postgres://…
 * @param more settings of this pool alone, by name
 * @returns what the driver calls `connectionString` and `options`
 */
export function openWithSettings(
  url: string,
  more: Readonly<Record<string, string>> = {},
): { connectionString: string; options: string } {
  const address = new URL(url)
  const given = address.searchParams.getAll('options')
  address.searchParams.delete('options')
  const ours = Object.entries({ ...RELIED_ON, ...more }).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`,
  )
  // Untouched where nothing was taken out of it: a URL that is written anew may name the same place in other letters.
  return { connectionString: given.length === 0 ? url : address.href, options: [...given, ...ours].join(' ') }
}
