import { sql } from 'kysely'
import type { BenchContext } from './services.ts'

/** Counts of what PostgreSQL and Redis were asked for so far. */
export interface ServiceUse {
  /** NaN where PostgreSQL was not started with pg_stat_statements */
  statements: number
  /** milliseconds for which those ran */
  executionMs: number
  journalRecords: number
  journalBytes: number
  redisScripts: number
}

/** For PostgreSQL's own settings: it counts statements. */
export const COUNTS_STATEMENTS = ['shared_preload_libraries=pg_stat_statements']

/** Lets statements be counted, where PostgreSQL can. @returns whether it can */
export async function countStatements({ db }: BenchContext): Promise<boolean> {
  try {
    await sql`create extension if not exists pg_stat_statements`.execute(db)
    await sql`select from pg_stat_statements limit 1`.execute(db)
    return true
  } catch (error) {
    console.error(`Statements are not counted: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

const NOT_COUNTED = { statements: Number.NaN, execution: Number.NaN }

/** @param counts whether {@link countStatements} said that statements are counted */
export async function readServiceUse({ db, redis }: BenchContext, counts: boolean): Promise<ServiceUse> {
  const { rows: counted } = counts
    ? await sql<{ statements: number; execution: number }>`
        select sum(calls)::float8 as statements, sum(total_exec_time)::float8 as execution from pg_stat_statements
        where dbid = (select oid from pg_database where datname = current_database())`.execute(db)
    : { rows: [] }
  const { rows: written } = await sql<{ records: number; bytes: number }>`
    select wal_records::float8 as records, wal_bytes::float8 as bytes from pg_stat_wal`.execute(db)
  const { statements, execution } = counted[0] ?? NOT_COUNTED
  const commands = await redis.info('commandstats')
  const scripts = [...commands.matchAll(/^cmdstat_(?:evalsha|eval|fcall):calls=(\d+)/gm)]
  return {
    statements,
    executionMs: execution,
    journalRecords: written[0]?.records ?? Number.NaN,
    journalBytes: written[0]?.bytes ?? Number.NaN,
    redisScripts: scripts.reduce((sum, [, calls]) => sum + Number(calls), 0),
  }
}

/** Counts what was asked for between two readings, for one of `count`. */
export function usePerItem(before: ServiceUse, after: ServiceUse, count: number): ServiceUse {
  const of = (key: keyof ServiceUse): number => (after[key] - before[key]) / count
  return {
    statements: of('statements'),
    executionMs: of('executionMs'),
    journalRecords: of('journalRecords'),
    journalBytes: of('journalBytes'),
    redisScripts: of('redisScripts'),
  }
}
