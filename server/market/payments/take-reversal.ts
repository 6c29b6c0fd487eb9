import type { Db } from '#core/data/database.ts'
import {
  changeReversal,
  findPaymentOfReversal,
  holdReversal,
  keepRefundFailure,
  lockIntent,
  lockRefunds,
} from '#core/data/market/payments/payment-reversals.ts'
import { findPayment, findPaymentOfIntent, type StoredPayment } from '#core/data/market/payments/payments.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { mergeReversal } from '#core/domain/market/payments/judge-reversal.ts'
import { isOtherMoney } from '#core/market/note-other-money.ts'
import { settleReversals } from '#core/market/settle-reversals.ts'
import type { ToldOfFailedRefund, ToldOfReversal } from './read-payment-event.ts'
import type { Outcome } from './take-page-event.ts'

/**
 * Keeps what the provider tells of money that went back, and takes it off the client's balance, below zero where there is less. Where
 * the payment is not known, or not credited, yet, that follows when it is.
 */
export async function takeReversal(trx: Db, told: ToldOfReversal): Promise<Outcome> {
  if (told.intent !== null) await lockIntent(trx, told.intent)
  if (told.kind === 'refund') await lockRefunds(trx, told.id)
  const found = await findReversed(trx, told)
  const held = await holdReversal(trx, { id: told.id, kind: told.kind, intent_id: told.intent })
  const known = { state: held.state, amount: requireCents(held.amount), at: held.told_at?.getTime() ?? 0 }
  const { state, amount, at } = mergeReversal(known, told)
  await changeReversal(trx, told.id, {
    state,
    amount: formatCents(amount),
    currency: told.currency,
    told_at: new Date(at),
    ...(found !== undefined && { payment_id: found.payment.id }),
  })
  if (found === undefined) return 'unknown'
  if (found.payment.status !== 'received') return 'nothing'
  return await settleReversals(trx, found)
}

/** Takes that a refund has failed: what it had taken off the balance is put back. */
export async function takeFailedRefund(
  trx: Db,
  { id, charge, intent, amount, at }: ToldOfFailedRefund,
): Promise<Outcome> {
  if (intent !== null) await lockIntent(trx, intent)
  await lockRefunds(trx, charge)
  const found = await findReversed(trx, { intent, payment_id: await findPaymentOfReversal(trx, charge) })
  await holdReversal(trx, { id: charge, kind: 'refund', intent_id: intent })
  const failure = { id, reversal_id: charge, amount: formatCents(amount), told_at: new Date(at) }
  await keepRefundFailure(trx, failure)
  if (found === undefined) return 'unknown'
  return found.payment.status === 'received' ? await settleReversals(trx, found) : 'nothing'
}

/** Finds the payment by its intent, or by the id that we gave the provider or keep: that may name other money than the payment was received for. */
async function findReversed(
  trx: Db,
  { intent, payment_id }: Pick<ToldOfReversal, 'intent' | 'payment_id'>,
): Promise<StoredPayment | undefined> {
  const known = intent === null ? undefined : await findPaymentOfIntent(trx, intent)
  const id = known ?? payment_id
  const found = id === null ? undefined : await findPayment(trx, id, { isLocked: true })
  return found === undefined || isOtherMoney(found, { intent }) ? undefined : found
}
