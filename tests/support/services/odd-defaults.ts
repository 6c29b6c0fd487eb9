import { listSettings } from '#core/data/session-settings.ts'
import { administer } from '#scripts/services/test-services.ts'

/**
 * For each setting that our sessions set, a different default that an administrator or a country may have.
 */
export const ODD_DEFAULTS: Readonly<Record<string, string>> = {
  array_nulls: 'off',
  bytea_output: 'escape',
  client_encoding: 'LATIN1',
  datestyle: 'SQL, DMY',
  default_transaction_deferrable: 'on',
  default_transaction_isolation: 'repeatable read',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_incremental_sort: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
  enable_sort: 'off',
  extra_float_digits: '-15',
  idle_in_transaction_session_timeout: '50ms',
  idle_session_timeout: '250ms',
  intervalstyle: 'iso_8601',
  jit: 'on',
  jit_above_cost: '0',
  lock_timeout: '1ms',
  max_parallel_workers_per_gather: '7',
  plan_cache_mode: 'force_custom_plan',
  search_path: 'auth',
  standard_conforming_strings: 'off',
  statement_timeout: '500ms',
  timezone: 'Asia/Kathmandu',
  transform_null_equals: 'on',
}

/** PostgreSQL has it since version 17. */
const SINCE_17 = { transaction_timeout: '300ms' }

/** Returns the settings that a session sets and this list lacks. */
export function findForgottenDefaults(): string[] {
  return Object.keys(listSettings('in_line')).filter((name) => !(name in ODD_DEFAULTS) && !(name in SINCE_17))
}

/** Sets them as defaults for sessions of this database. */
export async function setOddDefaults(serverUrl: string, database: string): Promise<void> {
  const commands = Object.entries({ ...ODD_DEFAULTS, ...SINCE_17 }).map(
    ([name, value]) => `if current_setting('${name}', true) is not null then
      execute format('alter database %I set ${name} = %L', '${database}', '${value}');
    end if;`,
  )
  await administer(serverUrl, `do $$ begin ${commands.join('\n')} end $$`)
}
