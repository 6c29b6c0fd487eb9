import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** Money of a payment that was returned, as far as the provider has reported. Amounts are dollars as text. */
export interface StoredReversal {
  id: string
  kind: 'dispute' | 'refund'
  state: 'warned' | 'open' | 'lost' | 'won' | 'paid_back'
  amount: string
  /** the part of it that is debited from the balance by now */
  taken: string
  currency: string
  /** the provider's time of the report */
  told_at: Date | null
  /** the sum of the refunds that failed since then */
  failed: string
}

const COLUMNS = [
  'id',
  'kind',
  'state',
  'amount',
  'taken',
  'currency',
  'told_at',
  sql<string>`(select coalesce(sum(f.amount), 0.00) from payment_refund_failures f
    where f.reversal_id = payment_reversals.id and f.told_at >= coalesce(payment_reversals.told_at, '-infinity'))`.as(
    'failed',
  ),
] as const

/**
 * Locks a payment intent, so that reports about it are handled one after the other. Its payment and its dispute may be
 * reported at once, and each must see what the other stored. To be called before any payment is locked.
 */
export async function lockIntent(trx: Db, intent: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('payment-intent'), hashtext(${intent}))`.execute(trx)
}

/**
 * Locks one dispute, or the refunds of one charge with those that failed, so that reports are handled one after the
 * other. To be called before {@link lockIntent}.
 */
export async function lockReversal(trx: Db, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('payment-reversal'), hashtext(${id}))`.execute(trx)
}

/** The payment of a reversal, once it is found, and the provider's name of the paid money. */
export interface ReversedMoney {
  payment_id: string | null
  intent_id: string | null
}

export async function findReversedMoney(db: Db, id: string): Promise<ReversedMoney> {
  const row = await db
    .selectFrom('payment_reversals')
    .select(['payment_id', 'intent_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? { payment_id: null, intent_id: null }
}

/** The reversal of this name, created if it is new, and locked until the end of the transaction. */
export async function holdReversal(
  trx: Db,
  { id, kind, intent_id }: { id: string; kind: StoredReversal['kind']; intent_id: string | null },
): Promise<StoredReversal> {
  await trx
    .insertInto('payment_reversals')
    .values({ id, kind, intent_id, state: kind === 'refund' ? 'paid_back' : 'warned' })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ intent_id }))
    .execute()
  return await trx
    .selectFrom('payment_reversals')
    .select(COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/**
 * Notes that a refund has failed: its money is back. It is noted once, however often it is reported, with its first
 * time.
 */
export async function keepRefundFailure(
  trx: Db,
  failure: { id: string; reversal_id: string; amount: string; told_at: Date },
): Promise<void> {
  await trx
    .insertInto('payment_refund_failures')
    .values(failure)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((one) => ({
        told_at: sql<Date>`least(payment_refund_failures.told_at, ${one.ref('excluded.told_at')})`,
      })),
    )
    .execute()
}

export async function changeReversal(
  trx: Db,
  id: string,
  change: Partial<Pick<StoredReversal, 'state' | 'amount' | 'taken' | 'currency' | 'told_at'>> & {
    payment_id?: string
    due_by?: Date
  },
): Promise<void> {
  await trx
    .updateTable('payment_reversals')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** The returned money of a payment, including reports from before the payment was known by its intent. */
export async function listReversals(
  trx: Db,
  { payment_id, intent_id }: { payment_id: string; intent_id: string | null },
): Promise<StoredReversal[]> {
  return await trx
    .selectFrom('payment_reversals')
    .select(COLUMNS)
    .where((of) =>
      of.or([
        of('payment_id', '=', payment_id),
        ...(intent_id === null
          ? []
          : [of.and([of('payment_id', 'is', null), of('intent_id', '=', intent_id)])]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .execute()
}
