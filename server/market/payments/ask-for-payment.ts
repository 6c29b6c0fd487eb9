import { paymentReference } from '#core/domain/market/payments/payment-reference.ts'
import { MOST_PENDING_PAYMENTS, type Payment } from '#core/contract/market/money/payment.ts'
import type { Db } from '#core/data/database.ts'
import { readSettings } from '#core/data/market/marketplace-settings.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import { isErased, lockClientAccount } from '#core/data/market/client-accounts.ts'
import { findPaymentCustomer, keepPaymentCustomer } from '#core/data/market/payments/payment-customers.ts'
import {
  changePayment,
  countPayments,
  findPayment,
  insertPayment,
  type StoredPayment,
} from '#core/data/market/payments/payments.ts'
import { insertProviderEnds } from '#core/data/market/payments/provider-ends.ts'
import { requireCents } from '#core/domain/market/cents.ts'
import { AppError } from '#core/errors.ts'
import { endAtProvider } from '#core/use-cases/market/money/end-at-provider.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { PaymentProvider } from '#core/payments/payment-provider.ts'
import type { ServerContext } from '../../context.ts'
import { createOnce } from '../../http/create-once.ts'
import { noAccount } from '../show-account.ts'

/** docs/product.md §9. Limited, because each request may ask the provider for a page. */
const MOST_IN_AN_HOUR = 20
const NO_PAGE = 'The payment page could not be opened'

/**
 * Creates a payment: on the provider's page if a provider is configured, otherwise for an administrator to
 * mark as received. A repeat with its key answers the same payment, with the page of the lost answer.
 * @throws AppError not_found, conflict if too many payments wait, rate_limited, unavailable if the provider
 * is away
 */
export async function askForPayment(
  context: ServerContext,
  userId: string,
  { amount, save_method }: { amount: string; save_method: boolean },
  key: string | undefined,
): Promise<Payment> {
  const { db, paymentProvider } = context
  const method = paymentProvider === undefined ? 'request' : 'checkout'
  const request = {
    user_id: userId,
    operation: 'payment',
    key,
    content: save_method ? `${amount} kept` : amount,
  }
  const { id } = await createOnce(context, request, async (trx, newId) => {
    // The second of two simultaneous requests counts the first.
    const account = await lockClientAccount(trx, userId)
    if (account === undefined || (await isErased(trx, userId))) throw noAccount()
    const { pending, recent } = await countPayments(trx, userId)
    if (pending >= MOST_PENDING_PAYMENTS) throw tooManyPending()
    if (recent >= MOST_IN_AN_HOUR) {
      const message = 'Too many payments were asked for. Please try again in an hour.'
      throw new AppError('rate_limited', message, { retryAfterSeconds: 3600 })
    }
    await insertPayment(trx, {
      id: newId,
      client_user_id: userId,
      method,
      amount,
      saves_method: save_method && method === 'checkout',
    })
    if (method === 'request') await mailRequest(trx, userId, { id: newId, amount })
  })
  const found = await findPayment(db, id, { userId })
  if (found === undefined) throw new AppError('not_found', 'Payment not found')
  if (paymentProvider === undefined || !needsPage(found)) return found.payment
  return await openPage(context, paymentProvider, found)
}

/** Mails a client who asks for funds where to pay, how much and with which reference, whatever it has turned off. */
async function mailRequest(
  trx: Db,
  userId: string,
  { id, amount }: { id: string; amount: string },
): Promise<void> {
  const { bank_details } = await readSettings(trx)
  const data = { payment_id: id, amount, reference: paymentReference(id), bank_details }
  await tellClient(trx, userId, { template: 'payment_requested', data }, id)
}

function needsPage({ payment }: StoredPayment): boolean {
  if (payment.method !== 'checkout' || payment.checkout_url !== null) return false
  return payment.status === 'pending' || (payment.status === 'failed' && payment.failure === NO_PAGE)
}

/** A payment without a page fails, because nobody can pay it. */
async function openPage(
  context: Pick<ServerContext, 'db' | 'logger' | 'paymentProvider'>,
  provider: PaymentProvider,
  { payment, client_user_id, saves_method }: StoredPayment,
): Promise<Payment> {
  const { db, logger } = context
  const { id, amount } = payment
  try {
    const keepFor = saves_method ? await nameCustomer(db, provider, client_user_id) : undefined
    const page = await provider.openPage({ id, cents: requireCents(amount), keepFor })
    const change = { provider_session_id: page.session_id, checkout_url: page.url }
    const isWanted = await changePayment(db, id, {
      ...change,
      status: 'pending',
      failure: null,
      whileIn: ['pending', 'failed'],
    })
    if (!isWanted) {
      // The payment was cancelled, or its client erased, while the page was opened.
      await insertProviderEnds(db, [{ name: page.session_id, kind: 'page' }])
      await endAtProvider(context, { only: [page.session_id] })
    }
  } catch (error) {
    logger.error({ payment_id: id, failure: describeError(error) }, 'no payment page')
    await changePayment(db, id, { status: 'failed', failure: NO_PAGE, whileIn: ['pending'] })
    const message = 'The payment page cannot be opened right now. Please try again.'
    throw new AppError('unavailable', message, { cause: error })
  }
  return (await findPayment(db, id))?.payment ?? payment
}

/**
 * The provider's id of the client. It is requested once and then stored, so that a repeated request has the
 * same parameters.
 */
async function nameCustomer(
  db: ServerContext['db'],
  provider: PaymentProvider,
  userId: string,
): Promise<string> {
  const known = await findPaymentCustomer(db, userId)
  if (known !== undefined) return known.customer_id
  const customer = await provider.createCustomer(userId)
  return await db.transaction().execute(async (trx) => {
    // A concurrent erasure of the account holds this lock until it has finished.
    await lockClientAccount(trx, userId)
    if (await isErased(trx, userId)) throw noAccount()
    return await keepPaymentCustomer(trx, userId, customer)
  })
}

function tooManyPending(): AppError {
  const message = `${MOST_PENDING_PAYMENTS} payments are waiting already. Complete or cancel one first.`
  return new AppError('conflict', message)
}
