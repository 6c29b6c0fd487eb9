import { sql, type Kysely } from 'kysely'
import type { KeptSpan } from '#core/data/webhooks/logs/log-filter.ts'
import { ensureLogPartitions } from '#core/data/webhooks/logs/log-partitions.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { fillLogs, type FilledLogs } from './fill-logs.ts'
import { askAll } from './questions.ts'
import type { BenchContext } from '../services.ts'
import { askOften, type Answered } from '../ask-often.ts'
import { settle } from '../settle.ts'

const QUERIES = 400
const WARM_UP = 40
const DAY_MS = 24 * 3600 * 1000

/** The durations of the API's queries on a log of this many rows, in milliseconds. */
export interface LogsResult {
  rows: number
  /** size of table and indexes in megabytes, and the speed of filling */
  megabytes: number
  rowsPerSecond: number
  /** by the question's name */
  questions: Record<string, Answered>
  /** the partitions that the newest 50 of one configuration read, and the number of all */
  weeksRead: number
  weeks: number
}

/** Fills the log to each size in turn and runs the API's queries. */
export async function readLogs(
  context: BenchContext,
  sizes: readonly number[],
  tell: (result: LogsResult) => void,
): Promise<LogsResult[]> {
  const { db } = context
  const results: LogsResult[] = []
  let filled = 0
  for (const rows of sizes.toSorted((a, b) => a - b)) {
    const began = performance.now()
    const logs = await fillLogs(db, rows - filled)
    const seconds = (performance.now() - began) / 1000
    await ensureLogPartitions(db, 4)
    await settle(db)
    const result = {
      ...(await ask(db, logs)),
      rows,
      rowsPerSecond: Math.round((rows - filled) / seconds),
    }
    results.push(result)
    tell(result)
    filled = rows
  }
  return results
}

async function ask(
  db: Kysely<Database>,
  filled: FilledLogs,
): Promise<Omit<LogsResult, 'rows' | 'rowsPerSecond'>> {
  // The same span as the server's (server/webhooks/kept-logs.ts), with the default retention.
  const kept = { since: new Date(Date.now() - 180 * DAY_MS), until: new Date(Date.now() + 7 * DAY_MS) }
  const questions: Record<string, Answered> = {}
  for (const question of askAll(db, filled, kept))
    questions[question.words] = await askOften(question, QUERIES, WARM_UP)
  const { rows: sizes } = await sql<{ megabytes: number; weeks: number }>`
    select (sum(pg_total_relation_size(inhrelid)) / 1e6)::float8 as megabytes, count(*)::int as weeks
    from pg_inherits where inhparent = 'webhook_delivery_logs'::regclass`.execute(db)
  const { megabytes = 0, weeks = 0 } = sizes[0] ?? {}
  return { megabytes, questions, weeks, weeksRead: await countWeeksRead(db, filled, kept) }
}

/** Counts index scans by the server on the log's partitions, and the partitions with any. */
async function countWeeksRead(db: Kysely<Database>, filled: FilledLogs, kept: KeptSpan): Promise<number> {
  return await db.connection().execute(async (connection) => {
    const [newest] = askAll(connection, filled, kept)
    const weeks = async (): Promise<Map<string, number>> => {
      await sql`select pg_stat_force_next_flush()`.execute(connection)
      const { rows } = await sql<{ week: string; scans: number }>`
        select relname as week, sum(idx_scan)::int as scans from pg_stat_user_indexes
        where relname ~ '^webhook_delivery_logs_[0-9]' group by relname`.execute(connection)
      return new Map(rows.map(({ week, scans }) => [week, scans]))
    }
    const before = await weeks()
    await newest?.ask()
    return [...(await weeks())].filter(([week, scans]) => scans > (before.get(week) ?? 0)).length
  })
}
