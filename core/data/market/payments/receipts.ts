import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** The content of a receipt, as it was when it was stored. */
export interface ReceiptFacts {
  payment_id: string
  client_user_id: string
  receipt_number: number
  seller_name: string
  seller_address: string
  amount: string
  /** null if no other amount came */
  asked_amount: string | null
  method: 'request' | 'checkout'
  kind: 'top_up' | 'auto_recharge'
  received_at: Date
  note: string | null
  payer_name: string
  payer_email: string
  timezone: string
  /** the account was erased, so there is nobody to name */
  is_erased: boolean
}

/**
 * Received payments whose receipts are not stored yet, the oldest first.
 * @param page.without ids that are left out
 */
export async function listUnstoredReceipts(
  db: Db,
  page: { limit: number; without: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from payments
    where status = 'received' and receipt_number is not null and receipt_stored_at is null
      and id <> all(${[...page.without]}::uuid[])
    order by decided_at, id limit ${page.limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns undefined for a payment that is not received, or another client's. */
export async function findReceipt(
  db: Db,
  { id, client }: { id: string; client?: string | undefined },
): Promise<ReceiptFacts | undefined> {
  const { rows } = await sql<ReceiptFacts>`
    select p.id as payment_id, p.client_user_id, p.receipt_number, coalesce(p.seller_name, '') as seller_name,
      coalesce(p.seller_address, '') as seller_address, p.amount, p.asked_amount, p.method, p.kind,
      coalesce(p.decided_at, p.created_at) as received_at, p.note,
      coalesce(a.business_name, f.name, '') as payer_name, f.email as payer_email,
      coalesce(a.timezone, 'UTC') as timezone, u.deleted_at is not null as is_erased
    from payments p join profiles f on f.user_id = p.client_user_id join auth.users u on u.id = p.client_user_id
      left join client_accounts a on a.user_id = p.client_user_id
    where p.id = ${id} and p.status = 'received' and p.receipt_number is not null
      and p.client_user_id = coalesce(${client ?? null}::uuid, p.client_user_id)`.execute(db)
  return rows[0]
}

/** Notes that the receipt needs no more storing. */
export async function noteReceiptStored(db: Db, paymentId: string): Promise<void> {
  await sql`update payments set receipt_stored_at = now() where id = ${paymentId}`.execute(db)
}
