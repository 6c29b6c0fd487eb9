import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * How many configurations the client has, of whom nobody adds another before the transaction ends. The account's row comes first in
 * the order of locks, and what only refers to it (leads, deliveries) waits for nothing. Counted by a statement of its own: it sees
 * what the one before has waited for.
 */
export async function countWebhooksLocked(trx: Db, owner: string): Promise<number> {
  await sql`select from profiles where user_id = ${owner} for no key update`.execute(trx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from client_webhook_configs where client_user_id = ${owner}`.execute(trx)
  return rows[0]?.count ?? 0
}
