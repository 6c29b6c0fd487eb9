import type { Db } from '#core/data/database.ts'
import { changeReversal, holdReversal, lockIntent } from '#core/data/market/payments/payment-reversals.ts'
import { findPayment, findPaymentOfIntent, type StoredPayment } from '#core/data/market/payments/payments.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { mergeReversal } from '#core/domain/market/judge-reversal.ts'
import { settleReversals } from '#core/market/settle-reversals.ts'
import type { ToldOfReversal } from './read-payment-event.ts'
import type { Outcome } from './take-page-event.ts'

/**
 * Keeps what the provider tells of money that went back, and takes it off the client's balance, below zero where there is less. Where
 * the payment is not known, or not credited, yet, that follows when it is.
 */
export async function takeReversal(trx: Db, told: ToldOfReversal): Promise<Outcome> {
  if (told.intent !== null) await lockIntent(trx, told.intent)
  const found = await findReversed(trx, told)
  const held = await holdReversal(trx, { id: told.id, kind: told.kind, intent_id: told.intent })
  const known = { state: held.state, amount: requireCents(held.amount), at: held.told_at?.getTime() ?? 0 }
  const { state, amount, at } = mergeReversal(known, told)
  await changeReversal(trx, told.id, {
    state,
    amount: formatCents(amount),
    told_at: new Date(at),
    ...(found !== undefined && { payment_id: found.payment.id }),
  })
  if (found === undefined) return 'unknown'
  if (found.payment.status !== 'received') return 'nothing'
  return await settleReversals(trx, found)
}

async function findReversed(trx: Db, told: ToldOfReversal): Promise<StoredPayment | undefined> {
  const id =
    told.payment_id ?? (told.intent === null ? undefined : await findPaymentOfIntent(trx, told.intent))
  return id === undefined ? undefined : await findPayment(trx, id, { isLocked: true })
}
