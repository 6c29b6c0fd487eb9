import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/**
 * A payment page that must not be paid any more, or a payment method that nobody may charge: the payment provider has
 * to end it.
 */
export interface ProviderEnd {
  name: string
  kind: 'page' | 'method'
}

/** Requests the end of these at the provider, in the transaction that decides it. */
export async function insertProviderEnds(trx: Db, ends: readonly ProviderEnd[]): Promise<void> {
  if (ends.length === 0) return
  await trx
    .insertInto('payment_provider_ends')
    .values([...ends])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Claims what is due; no other worker asks for it before the lease ends.
 * @param only the names to claim; all of them if left out
 */
export async function claimProviderEnds(
  db: Db,
  { limit, leaseSeconds, only }: { limit: number; leaseSeconds: number; only: readonly string[] | undefined },
): Promise<(ProviderEnd & { tries: number })[]> {
  const names = only === undefined ? null : [...only]
  const { rows } = await sql<ProviderEnd & { tries: number }>`
    update payment_provider_ends set tries = tries + 1, due_at = now() + make_interval(secs => ${leaseSeconds})
    where name in (
      select name from payment_provider_ends
      where due_at <= now() and (${names}::text[] is null or name = any(${names}::text[]))
      order by due_at limit ${limit} for update skip locked)
    returning name, kind, tries`.execute(db)
  return rows
}

export async function removeProviderEnd(db: Db, name: string): Promise<void> {
  await db.deleteFrom('payment_provider_ends').where('name', '=', name).execute()
}

export async function postponeProviderEnd(db: Db, name: string, seconds: number): Promise<void> {
  await sql`
    update payment_provider_ends set due_at = now() + make_interval(secs => ${seconds}) where name = ${name}`.execute(
    db,
  )
}
