import { sql } from 'kysely'
import type { BenchContext } from './services.ts'

/** Counts of the requests to PostgreSQL and Redis so far. */
export interface ServiceUse {
  /** NaN if PostgreSQL was started without pg_stat_statements */
  statements: number
  /** their execution time in milliseconds */
  executionMs: number
  journalRecords: number
  journalBytes: number
  redisScripts: number
}

/** Setting of PostgreSQL to count statements. */
export const COUNTS_STATEMENTS = ['shared_preload_libraries=pg_stat_statements']

/** Enables the counting of statements, if PostgreSQL can. @returns whether it can */
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

/** @param counts the result of {@link countStatements} */
export async function readServiceUse({ db, masters }: BenchContext, counts: boolean): Promise<ServiceUse> {
  const { rows: counted } = counts
    ? await sql<{ statements: number; execution: number }>`
        select sum(calls)::float8 as statements, sum(total_exec_time)::float8 as execution from pg_stat_statements
        where dbid = (select oid from pg_database where datname = current_database())`.execute(db)
    : { rows: [] }
  const { rows: written } = await sql<{ records: number; bytes: number }>`
    select wal_records::float8 as records, wal_bytes::float8 as bytes from pg_stat_wal`.execute(db)
  const { statements, execution } = counted[0] ?? NOT_COUNTED
  const commands = (await Promise.all(masters.map((master) => master.info('commandstats')))).join('\n')
  const scripts = [...commands.matchAll(/^cmdstat_(?:evalsha|eval|fcall):calls=(\d+)/gm)]
  return {
    statements,
    executionMs: execution,
    journalRecords: written[0]?.records ?? Number.NaN,
    journalBytes: written[0]?.bytes ?? Number.NaN,
    redisScripts: scripts.reduce((sum, [, calls]) => sum + Number(calls), 0),
  }
}

/** The requests between two readings, divided by `count`. */
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
