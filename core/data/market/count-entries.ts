import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Counts the entries of a client's ledger, up to a limit. */
export async function countEntries(db: Db, userId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from balance_ledger where client_user_id = ${userId} order by id desc limit ${limit}) counted`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
