import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import { isLockTimeout } from '#core/data/is-lock-timeout.ts'

/** Tables in weekly partitions `<table>_YYYYMMDD`, named after their Monday (UTC). */
export const LOG_TABLES = ['webhook_delivery_logs', 'webhook_delivery_log_bodies'] as const
export type LogTable = (typeof LOG_TABLES)[number]

/** A statement that waits for the log's lock makes all later ones wait, so it waits no longer than this. */
const PATIENCE_MS = 250
/**
 * Makes the partitions of the present and the next weeks; rows in a default partition move to their week.
 * @returns number of rows that were in a default partition, because their week was missing
 */
export async function ensureLogPartitions(db: Db, weeksAhead: number): Promise<number> {
  const { rows } = await sql<{ misplaced: number }>`
    select ((select count(*) from webhook_delivery_logs_default)
      + (select count(*) from webhook_delivery_log_bodies_default))::int as misplaced`.execute(db)
  await sql`select ensure_delivery_log_partitions(${weeksAhead})`.execute(db)
  return rows[0]?.misplaced ?? 0
}

/** Weeks whose last row is older than this, oldest first. */
export async function findExpiredPartitions(db: Db, table: LogTable, keepDays: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass and c.relname ~ ${`^${table}_\\d{8}$`}
      and to_date(right(c.relname, 8), 'YYYYMMDD') + 7 <= (now() at time zone 'utc')::date - ${keepDays}::int
    order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Drops one whole week. `busy`: somebody reads the log for long, or another worker is dropping it; to be tried again.
 * It does not drop concurrently, because PostgreSQL refuses that beside a default partition (decision 0016).
 */
export async function dropPartition(
  db: Db,
  table: LogTable,
  partition: string,
): Promise<'dropped' | 'busy' | 'gone'> {
  try {
    return await db.transaction().execute(async (trx) => {
      await sql`select set_config('lock_timeout', ${`${PATIENCE_MS}ms`}, true)`.execute(trx)
      const { rows } = await sql<{ is_mine: boolean; is_there: boolean }>`
        select pg_try_advisory_xact_lock(hashtext('drop_delivery_log_partitions')) as is_mine,
          to_regclass(${partition}) is not null as is_there`.execute(trx)
      if (rows[0]?.is_mine !== true) return 'busy'
      if (!rows[0].is_there) return 'gone'
      await sql`alter table ${sql.table(table)} detach partition ${sql.table(partition)}`.execute(trx)
      await sql`drop table ${sql.table(partition)}`.execute(trx)
      return 'dropped'
    })
  } catch (error) {
    if (isLockTimeout(error)) return 'busy'
    throw error
  }
}
