import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'

/** The deliveries of these clients in PostgreSQL, in any status. */
export async function countDeliveries(db: Kysely<Database>, clients: readonly string[]): Promise<number> {
  const { rows } = await sql<{ deliveries: number }>`
    select count(*)::int as deliveries from webhook_deliveries where client_user_id = any(${clients}::uuid[])
  `.execute(db)
  return rows[0]?.deliveries ?? 0
}

/** Waits until they have this many, or no more have come for `quietMs`: planning a burst takes time. */
export async function waitForDeliveries(
  db: Kysely<Database>,
  clients: readonly string[],
  count: number,
  quietMs: number,
): Promise<number> {
  let before = -1
  let changedAt = performance.now()
  for (;;) {
    const found = await countDeliveries(db, clients)
    if (found >= count) return found
    if (found !== before) changedAt = performance.now()
    else if (performance.now() - changedAt > quietMs) return found
    before = found
    await sleep(250)
  }
}
