import { sql } from 'kysely'
import type { KeptDispute, KeptPayment } from '#core/domain/market/payments/compare-payment.ts'
import type { Db } from '../../database.ts'

/** Payments in the form of core/domain/market/payments/compare-payment.ts, with amounts in dollars as text. */
type InDollars<Kept, Amounts extends keyof Kept> = Omit<Kept, Amounts> & Record<Amounts, string>
export type StoredKeptPayment = InDollars<KeptPayment, 'amount' | 'refunded'>

interface KeptRow {
  id: string
  intent: string | null
  status: KeptPayment['status']
  is_flagged: boolean
  is_decided: boolean
  amount: string
  refunded: string
}

const KEPT = sql`
  select t.id, t.provider_intent_id as intent, t.status, 
    t.failure is not null and (t.status = 'pending' or t.decided_by is not null) as is_flagged,
    t.decided_by is not null as is_decided, t.amount, (
      select coalesce(sum(greatest(0, r.amount - (
        select coalesce(sum(f.amount), 0) from payment_refund_failures f
        where f.reversal_id = r.id and f.told_at >= coalesce(r.told_at, '-infinity')))), 0.00)
      from payment_reversals r where r.payment_id = t.id and r.kind = 'refund') as refunded
  from payments t`

/** Payments by their own names, or by the provider's. */
export async function listKeptPayments(
  db: Db,
  { ids, intents }: { ids: readonly string[]; intents: readonly string[] },
): Promise<StoredKeptPayment[]> {
  const { rows } = await sql<KeptRow>`${KEPT}
    where t.id = any(${[...ids]}::uuid[]) or t.provider_intent_id = any(${[...intents]}::text[])`.execute(db)
  return rows.map(describe)
}

/** Payments that count as received at the provider and were requested in this time. */
export async function listReceivedPayments(
  db: Db,
  { since, until }: { since: Date; until: Date },
): Promise<StoredKeptPayment[]> {
  const { rows } = await sql<KeptRow>`${KEPT}
    where t.status = 'received' and t.method = 'checkout' and t.decided_by is null
      and t.created_at >= ${since} and t.created_at < ${until}`.execute(db)
  return rows.map(describe)
}

/** Disputes that the provider has reported, by its names. */
export async function listKeptDisputes(
  db: Db,
  ids: readonly string[],
): Promise<InDollars<KeptDispute, 'amount'>[]> {
  return await db
    .selectFrom('payment_reversals')
    .select(['id', 'state', 'amount'])
    .where('kind', '=', 'dispute')
    .where('id', 'in', ids.length === 0 ? [''] : [...ids])
    .execute()
}

function describe({ is_flagged: isFlagged, is_decided: isDecided, ...row }: KeptRow): StoredKeptPayment {
  return { ...row, isFlagged, isDecided }
}
