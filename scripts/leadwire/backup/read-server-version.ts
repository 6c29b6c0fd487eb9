import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'

/** PostgreSQL's version as a number, such as 180004, and its major version. */
export async function readServerVersion(db: Db): Promise<{ number: number; major: number }> {
  const { rows } = await sql<{
    number: number
  }>`select current_setting('server_version_num')::int as number`.execute(db)
  const number = rows[0]?.number ?? 0
  return { number, major: Math.floor(number / 10_000) }
}
