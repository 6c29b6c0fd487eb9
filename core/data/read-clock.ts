import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The clock that all processes share: the clock of a machine may be wrong. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select current_timestamp as now`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL did not tell the time')
  return row.now
}
