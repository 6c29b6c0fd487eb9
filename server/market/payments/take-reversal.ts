import type { Db } from '#core/data/database.ts'
import {
  changeReversal,
  findReversedMoney,
  holdReversal,
  keepRefundFailure,
  lockIntent,
  lockReversal,
} from '#core/data/market/payments/payment-reversals.ts'
import { findPayment, findPaymentOfIntent, type StoredPayment } from '#core/data/market/payments/payments.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { mergeReversal } from '#core/domain/market/payments/judge-reversal.ts'
import { isOtherMoney } from '#core/use-cases/market/money/note-other-money.ts'
import { settleReversals } from '#core/use-cases/market/money/settle-reversals.ts'
import type { ToldOfFailedRefund, ToldOfReversal } from './read-payment-event.ts'
import type { Outcome } from './take-page-event.ts'

/**
 * Stores a reversal that the provider reports, and debits the client's balance, below zero if needed. If the
 * payment is unknown or not credited yet, the debit follows with its credit.
 */
export async function takeReversal(trx: Db, told: ToldOfReversal): Promise<Outcome> {
  const { found, intent_id } = await findReversed(trx, told)
  const held = await holdReversal(trx, { id: told.id, kind: told.kind, intent_id })
  const known = { state: held.state, amount: requireCents(held.amount), at: held.told_at?.getTime() ?? 0 }
  const { state, amount, at } = mergeReversal(known, told)
  await changeReversal(trx, told.id, {
    state,
    amount: formatCents(amount),
    currency: told.currency,
    told_at: new Date(at),
    ...(told.due_by !== null && { due_by: told.due_by }),
    ...(found !== undefined && { payment_id: found.payment.id }),
  })
  if (found === undefined) return 'unknown'
  if (found.payment.status !== 'received') return 'nothing'
  return await settleReversals(trx, found)
}

/** Handles a failed refund: the amount that it had debited is credited again. */
export async function takeFailedRefund(
  trx: Db,
  { id, charge, intent, amount, at }: ToldOfFailedRefund,
): Promise<Outcome> {
  const { found, intent_id } = await findReversed(trx, { id: charge, intent, payment_id: null })
  await holdReversal(trx, { id: charge, kind: 'refund', intent_id })
  const failure = { id, reversal_id: charge, amount: formatCents(amount), told_at: new Date(at) }
  await keepRefundFailure(trx, failure)
  if (found === undefined) return 'unknown'
  return found.payment.status === 'received' ? await settleReversals(trx, found) : 'nothing'
}

/**
 * Finds the payment of a reversal, and locks both. A reversal that already has a payment keeps it. Otherwise the
 * payment is found by its intent, which may have been reported before, or by the id that we gave the provider. The
 * payment with that id may have been received for other money.
 */
async function findReversed(
  trx: Db,
  { id, intent, payment_id }: Pick<ToldOfReversal, 'id' | 'intent' | 'payment_id'>,
): Promise<{ found: StoredPayment | undefined; intent_id: string | null }> {
  await lockReversal(trx, id)
  const before = await findReversedMoney(trx, id)
  const intent_id = before.intent_id ?? intent
  if (intent_id !== null) await lockIntent(trx, intent_id)
  // The credit of the payment may have found this reversal while we waited for the lock.
  const own = (await findReversedMoney(trx, id)).payment_id
  const known =
    own ?? (intent_id === null ? undefined : await findPaymentOfIntent(trx, intent_id)) ?? payment_id
  const found = known === null ? undefined : await findPayment(trx, known, { isLocked: true })
  const isOther = own === null && found !== undefined && isOtherMoney(found, { intent: intent_id })
  return { found: isOther ? undefined : found, intent_id }
}
