import type { Db } from '#core/data/database.ts'
import { changePayment, findPayment, type StoredPayment } from '#core/data/market/payments/payments.ts'
import { lockIntent } from '#core/data/market/payments/payment-reversals.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import { formatCents, parseCents } from '#core/domain/market/cents.ts'
import { sayReported } from '#core/domain/market/payments/say-reported.ts'
import { creditPayment } from '#core/use-cases/market/money/credit-payment.ts'
import { isOtherMoney, noteOtherMoney } from '#core/use-cases/market/money/note-other-money.ts'
import { settleReversals } from '#core/use-cases/market/money/settle-reversals.ts'
import type { ToldOfPage } from './read-payment-event.ts'

/** The effect of a provider's event; only `credited` and `moved` moved money. */
export type Outcome = 'credited' | 'moved' | 'flagged' | 'failed' | 'nothing' | 'repeated' | 'unknown'

/**
 * Handles the result of a payment's page. Money is credited even if the payment was cancelled or had expired,
 * but never with another amount than was asked for: that waits for an administrator.
 */
export async function takePageEvent(trx: Db, type: string, page: ToldOfPage): Promise<Outcome> {
  const intent = page.payment_intent ?? null
  if (intent !== null) await lockIntent(trx, intent)
  const found = await findPayment(trx, page.client_reference_id, { isLocked: true })
  if (found === undefined || !isOwnPage(found, page)) return 'unknown'
  const { amount_total: cents = null, currency = null } = page
  const hasCome = isPaid(type, page)
  if (hasCome && intent !== null && isOtherMoney(found, { intent }))
    return await noteOtherMoney(trx, found, { intent, cents, currency })
  // A bank debit that has only begun is not the money that an administrator may see in the meantime.
  const name = found.provider_intent_id ?? (hasCome ? intent : null)
  if (name !== found.provider_intent_id)
    await changePayment(trx, found.payment.id, { provider_intent_id: name })
  const known = { ...found, provider_intent_id: name }
  if (known.payment.status === 'received') return await settleReversals(trx, known)
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return hasCome ? await take(trx, known, page) : 'nothing'
    case 'checkout.session.async_payment_failed':
      return await fail(trx, known, { failure: 'The payment did not go through', isTold: true })
    case 'checkout.session.expired':
      // The person who left the page knows this already, so no notice is sent.
      return await fail(trx, known, { failure: 'The payment page has expired', isTold: false })
    default:
      return 'unknown'
  }
}

/** The reference alone proves nothing: a payer can write it into the address of another payment's page. */
function isOwnPage(
  { payment, provider_session_id: name }: StoredPayment,
  { id, metadata }: ToldOfPage,
): boolean {
  return id === name || metadata?.payment_id === payment.id
}

/** A page completed with a bank transfer is not paid yet: the money may follow. */
function isPaid(type: string, { payment_status: status }: ToldOfPage): boolean {
  if (type === 'checkout.session.async_payment_succeeded') return true
  return type === 'checkout.session.completed' && status === 'paid'
}

async function take(trx: Db, found: StoredPayment, { amount_total, currency }: ToldOfPage): Promise<Outcome> {
  const { payment } = found
  const isAsked =
    payment.method === 'checkout' && currency === 'usd' && amount_total === parseCents(payment.amount)
  if (isAsked) return await creditPayment(trx, found, { by: null, note: null })
  const told = sayReported(amount_total ?? null, currency ?? null)
  const failure = `The provider reports ${told}, not ${payment.amount} USD. Nothing was credited; an administrator decides.`
  const dollars =
    currency === 'usd' && typeof amount_total === 'number' && amount_total > 0
      ? formatCents(amount_total)
      : null
  await changePayment(trx, payment.id, { status: 'pending', failure, told_amount: dollars })
  return 'flagged'
}

/** A payment that waits for an administrator keeps waiting. */
async function fail(
  trx: Db,
  { payment, client_user_id }: StoredPayment,
  { failure, isTold }: { failure: string; isTold: boolean },
): Promise<Outcome> {
  if (payment.status !== 'pending' || payment.failure !== null) return 'nothing'
  await changePayment(trx, payment.id, { status: 'failed', failure, isDecided: true })
  if (isTold) {
    const data = { payment_id: payment.id, amount: payment.amount, failure }
    await tellClient(trx, client_user_id, { template: 'payment_failed', data }, payment.id)
  }
  return 'failed'
}
