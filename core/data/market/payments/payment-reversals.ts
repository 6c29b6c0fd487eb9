import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** Money of a payment that went back, as far as the provider has told. Amounts are dollars as text. */
export interface StoredReversal {
  id: string
  kind: 'dispute' | 'refund'
  state: 'warned' | 'open' | 'lost' | 'won' | 'paid_back'
  amount: string
  /** what of it is off the balance by now */
  taken: string
  currency: string
  /** when the provider says that it was so */
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
 * Whoever tells of one payment intent waits for who else does: that it was paid, and that it was disputed, may be told at once, and each
 * must see what the other kept. Before the lock of any payment.
 */
export async function lockIntent(trx: Db, intent: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('payment-intent'), hashtext(${intent}))`.execute(trx)
}

/** The same for one dispute, or the refunds of one charge and those of them that failed. Before {@link lockIntent}. */
export async function lockReversal(trx: Db, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('payment-reversal'), hashtext(${id}))`.execute(trx)
}

/** The payment of a reversal, once it is found, and the provider's name of the money that was paid. */
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

/** The reversal of this name, begun where it is new, and held until the end of the transaction. */
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

/** Keeps that a refund has failed: its money is back. Once, however often it is told, and since the first time that it was so. */
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
  },
): Promise<void> {
  await trx
    .updateTable('payment_reversals')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** What went back of a payment, also what was told before the payment was known by its intent. */
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
