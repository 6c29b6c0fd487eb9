import { sql, type Insertable, type RawBuilder } from 'kysely'
import type { LedgerEntry } from '#core/contract/market/money/ledger.ts'
import type { Db } from '../database.ts'
import type { BalanceLedgerTable } from '../schema/market-tables.ts'

/**
 * A new entry; `amount` is signed dollars, as core/domain/market/cents.ts writes them. The database sets id and
 * balance.
 */
export type NewEntry = Omit<Insertable<BalanceLedgerTable>, 'id' | 'balance_after' | 'created_at'>

/** An entry as it was written. */
export interface PostedEntry {
  id: string
  client_user_id: string
  amount: string
  balance_after: string
}

/**
 * Writes entries, each of which moves its client's balance, and returns them as written. They are ordered by client, so
 * that two sets at once cannot deadlock; entries of one client keep the given order.
 * @throws the driver's error if a debit exceeds the balance ({@link isOverdrawn}); then none of the set was written
 */
export async function postEntries(db: Db, entries: readonly NewEntry[]): Promise<PostedEntry[]> {
  if (entries.length === 0) return []
  const sorted = entries.toSorted((a, b) => compare(a.client_user_id, b.client_user_id))
  return await db
    .insertInto('balance_ledger')
    .values(sorted)
    .returning(['id', 'client_user_id', 'amount', 'balance_after'])
    .execute()
}

/** Whether PostgreSQL refused entries because a balance would have become negative. */
export function isOverdrawn(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown }
  return code === '23514' && constraint === 'profiles_balance_not_negative'
}

/**
 * A client's entries, newest first.
 * @param page.before the id of the last entry of the page before
 */
export async function listEntries(
  db: Db,
  userId: string,
  page: { limit: number; before: string | undefined },
): Promise<LedgerEntry[]> {
  return await readEntries(
    db,
    sql`e.client_user_id = ${userId} and e.id < ${page.before ?? LAST}::bigint order by e.id desc limit ${page.limit}`,
  )
}

/** The entry that was written under this idempotency key. */
export async function findEntry(db: Db, key: string): Promise<LedgerEntry | undefined> {
  const [entry] = await readEntries(db, sql`e.idempotency_key = ${key}`)
  return entry
}

async function readEntries(db: Db, which: RawBuilder<unknown>): Promise<LedgerEntry[]> {
  const { rows } = await sql<Omit<LedgerEntry, 'created_at'> & { created_at: Date }>`
    select e.id::text as id, e.created_at, e.entry_type, e.amount, e.balance_after, e.note,
      coalesce(a.lead_id, r.lead_id) as lead_id
    from balance_ledger e
    left join lead_assignments a on a.id = case e.reference_type when 'assignment' then e.reference_id::uuid end
    left join lead_returns r on r.id = case e.reference_type when 'return' then e.reference_id::uuid end
    where ${which}
  `.execute(db)
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

/** Greater than every id. */
const LAST = '9223372036854775807'

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
