import { randomInt } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { LogStatus } from '#core/contract/webhooks/delivery.ts'
import { listDeliveryLogs } from '#core/data/webhooks/logs/delivery-logs.ts'
import { findDeliveryLog } from '#core/data/webhooks/logs/find-delivery-log.ts'
import type { KeptSpan } from '#core/data/webhooks/logs/log-filter.ts'
import { ensureLogPartitions } from '#core/data/webhooks/logs/log-partitions.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { fillLogs, type FilledLogs } from './fill-logs.ts'
import type { BenchContext } from '../services.ts'
import { describeSpread, type Spread } from '../spread.ts'

const QUERIES = 400
const WARM_UP = 40
const DAY_MS = 24 * 3600 * 1000
const PAGE = { limit: 50, after: undefined }

/** The API's questions to a log of this many rows, in milliseconds. */
export interface LogsResult {
  rows: number
  /** megabytes of table and indexes, and how fast it was filled */
  megabytes: number
  rowsPerSecond: number
  newest: Spread
  failed: Spread
  delivered: Spread
  byId: Spread
  unknownId: Spread
  /** weeks that the newest 50 of one configuration opened, of those there are */
  weeksRead: number
  weeks: number
}

/** Fills the log to each size in turn and asks what the API asks. */
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
    await vacuum(db)
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

/** Of gigabytes it takes longer than a statement of ours may. */
async function vacuum(db: Kysely<Database>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum (analyze) webhook_delivery_logs`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}

async function ask(
  db: Kysely<Database>,
  { client, configurations, ids }: FilledLogs,
): Promise<Omit<LogsResult, 'rows' | 'rowsPerSecond'>> {
  // As the server asks (server/webhooks/kept-logs.ts), with the days that are kept by default.
  const kept = { since: new Date(Date.now() - 180 * DAY_MS), until: new Date(Date.now() + 7 * DAY_MS) }
  const any = <T>(of: readonly T[]): T => of[randomInt(of.length)] as T
  const list = (status?: LogStatus) => async () => {
    const filter = { client, kept, webhook_config_id: any(configurations), status }
    const rows = await listDeliveryLogs(db, filter, PAGE)
    if (rows.length === 0 && status === undefined) throw new Error('a configuration without attempts')
  }
  const newest = await spread(list())
  const failed = await spread(list('failed'))
  const delivered = await spread(list('delivered'))
  const byId = await spread(async () => {
    if ((await findDeliveryLog(db, client, any(ids))) === undefined)
      throw new Error('an attempt that is not found')
  })
  const unknownId = await spread(async () => {
    await findDeliveryLog(db, client, any(ids).replace(/.{6}$/, 'ffffff'))
  })
  const { rows: sizes } = await sql<{ megabytes: number; weeks: number }>`
    select (sum(pg_total_relation_size(inhrelid)) / 1e6)::float8 as megabytes, count(*)::int as weeks
    from pg_inherits where inhparent = 'webhook_delivery_logs'::regclass`.execute(db)
  const { megabytes = 0, weeks = 0 } = sizes[0] ?? {}
  const weeksRead = await countWeeksRead(db, client, any(configurations), kept)
  return { megabytes, newest, failed, delivered, byId, unknownId, weeks, weeksRead }
}

async function spread(query: () => Promise<void>): Promise<Spread> {
  const took: number[] = []
  for (let asked = -WARM_UP; asked < QUERIES; asked += 1) {
    const began = performance.now()
    await query()
    if (asked >= 0) took.push(performance.now() - began)
  }
  return describeSpread(took)
}

/** By the plan of the list's innermost question, as PostgreSQL ran it. */
async function countWeeksRead(
  db: Kysely<Database>,
  client: string,
  configuration: string,
  kept: KeptSpan,
): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain (analyze, costs off, timing off, summary off)
    select id from webhook_delivery_logs where client_user_id = ${client} and webhook_config_id = ${configuration}
      and created_at >= ${kept.since} and created_at < ${kept.until}
    order by created_at desc, id desc limit ${PAGE.limit + 1}`.execute(db)
  return rows.filter(
    ({ 'QUERY PLAN': line }) =>
      /Scan.* on webhook_delivery_logs_/.test(line) && !line.includes('never executed'),
  ).length
}
