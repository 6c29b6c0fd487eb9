import type { Db } from '#core/data/database.ts'
import { findPaymentCustomer, labelPaymentMethod } from '#core/data/market/payments/payment-customers.ts'
import { lockIntent } from '#core/data/market/payments/payment-reversals.ts'
import { changePayment, findPayment } from '#core/data/market/payments/payments.ts'
import { keepMethod } from '#core/use-cases/market/money/keep-method.ts'
import { isOtherMoney, noteOtherMoney } from '#core/use-cases/market/money/note-other-money.ts'
import { settleCharge } from '#core/use-cases/market/money/settle-charge.ts'
import { settleReversals } from '#core/use-cases/market/money/settle-reversals.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { ServerContext } from '../../context.ts'
import type { ToldOfIntent } from './read-payment-event.ts'
import type { Outcome } from './take-page-event.ts'

/**
 * Handles the result of a payment's money. It settles a charge. For a payment on a page it only gives the payment
 * method, which is saved if the client asked for that. The page's event says whether it was paid.
 */
export async function takeIntentEvent(
  trx: Db,
  { payment_id, charge, customer, method, at }: ToldOfIntent,
): Promise<Outcome> {
  if (charge.intent !== null) await lockIntent(trx, charge.intent)
  const found = await findPayment(trx, payment_id, { isLocked: true })
  if (found === undefined) return 'unknown'
  if (found.payment.kind === 'auto_recharge') return await settleCharge(trx, payment_id, charge)
  if (charge.outcome !== 'succeeded') return 'nothing'
  // Also if the amount differs: its client allowed us to keep the card.
  if (found.saves_method && customer !== null && method !== null)
    await keepMethod(trx, found.client_user_id, { customer, method, at: new Date(at) })
  if (isOtherMoney(found, charge)) return await noteOtherMoney(trx, found, charge)
  const intent = found.provider_intent_id ?? charge.intent
  await changePayment(trx, payment_id, { provider_intent_id: intent })
  if (found.payment.status !== 'received') return 'nothing'
  return await settleReversals(trx, { ...found, provider_intent_id: intent })
}

/**
 * Stores the name of the saved payment method. Without an answer of the provider it is called "saved card".
 */
export async function labelMethod(
  { db, logger, paymentProvider }: Pick<ServerContext, 'db' | 'logger' | 'paymentProvider'>,
  { payment_id, method }: ToldOfIntent,
): Promise<void> {
  const client = method === null ? undefined : (await findPayment(db, payment_id))?.client_user_id
  if (client === undefined || method === null) return
  const kept = await findPaymentCustomer(db, client)
  if (kept?.method_id !== method || kept.method_label !== null) return
  try {
    const label = await paymentProvider?.describeMethod(method)
    if (label !== undefined) await labelPaymentMethod(db, client, method, label)
  } catch (error) {
    logger.warn({ payment_id, failure: describeError(error) }, 'a kept way of paying goes without its name')
  }
}
