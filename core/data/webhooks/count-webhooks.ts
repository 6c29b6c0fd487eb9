import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Counts the client's configurations, and locks the creation of another until the transaction ends. The account's row
 * comes first in the order of locks, and rows that only refer to it (leads, deliveries) do not wait. The count is a
 * separate statement, so that it sees what the lock has waited for.
 */
export async function countWebhooksLocked(trx: Db, owner: string): Promise<number> {
  await sql`select from profiles where user_id = ${owner} for no key update`.execute(trx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from client_webhook_configs where client_user_id = ${owner}`.execute(trx)
  return rows[0]?.count ?? 0
}
