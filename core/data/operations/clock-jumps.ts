import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** The database's clock, in milliseconds. */
export async function readClockMs(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL answered nothing')
  return row.ms
}

/** Notes that the database's clock jumped between two of its times, in milliseconds. */
export async function noteClockJump(
  db: Db,
  { before, after, jumpedMs }: { before: number; after: number; jumpedMs: number },
): Promise<void> {
  await db
    .insertInto('clock_jumps')
    .values({
      began_at: new Date(Math.min(before, after)),
      ended_at: new Date(Math.max(before, after)),
      jumped_ms: Math.round(jumpedMs),
    })
    .execute()
}
