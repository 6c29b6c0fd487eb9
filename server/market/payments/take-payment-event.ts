import { z } from 'zod'
import type { Db } from '#core/data/database.ts'
import { findPayment, changePayment, type StoredPayment } from '#core/data/market/payments.ts'
import { keepPaymentEvent } from '#core/data/market/payment-events.ts'
import { formatCents, parseCents } from '#core/domain/market/cents.ts'
import type { ServerContext } from '../../context.ts'
import { repeatOnConflict } from '../../http/database/repeat-on-conflict.ts'
import { creditPayment } from './credit-payment.ts'

/** What the provider tells; of the object only what is asked of a checkout session. */
export const paymentEventSchema = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(200),
  data: z.object({ object: z.unknown() }),
})
type PaymentEvent = z.infer<typeof paymentEventSchema>

const sessionSchema = z.object({
  client_reference_id: z.uuid(),
  amount_total: z.int().nullish(),
  currency: z.string().max(10).nullish(),
  payment_status: z.string().max(40).nullish(),
})
type Session = z.infer<typeof sessionSchema>

/** What came of an event; only `credited` moved money. */
type Outcome = 'credited' | 'flagged' | 'failed' | 'nothing' | 'repeated' | 'unknown'

/**
 * Takes an event of the provider: once, whatever the order and however often it is sent. Money that came is credited also where the
 * payment was cancelled or had expired; but never another amount than was asked for: that waits for an administrator.
 */
export async function takePaymentEvent(
  { db, logger }: Pick<ServerContext, 'db' | 'logger'>,
  event: PaymentEvent,
): Promise<Outcome> {
  const session = event.type.startsWith('checkout.session.')
    ? sessionSchema.safeParse(event.data.object).data
    : undefined
  const outcome = await repeatOnConflict(() =>
    db.transaction().execute(async (trx): Promise<Outcome> => {
      const paymentId = session?.client_reference_id ?? null
      const isNew = await keepPaymentEvent(trx, {
        event_id: event.id,
        type: event.type,
        payment_id: paymentId,
      })
      if (!isNew) return 'repeated'
      if (session === undefined) return 'unknown'
      const found = await findPayment(trx, session.client_reference_id, { isLocked: true })
      return found === undefined ? 'unknown' : await settle(trx, found, event.type, session)
    }),
  )
  const told = {
    event_id: event.id,
    event_type: event.type,
    payment_id: session?.client_reference_id,
    outcome,
  }
  const isOdd = outcome === 'flagged' || (outcome === 'unknown' && session !== undefined)
  if (isOdd) logger.warn(told, 'the payment provider tells of what was not asked for')
  else logger.info(told, 'a payment event')
  return outcome
}

async function settle(trx: Db, found: StoredPayment, type: string, session: Session): Promise<Outcome> {
  const { payment } = found
  if (payment.status === 'received') return 'nothing'
  switch (type) {
    case 'checkout.session.completed':
      // Of a bank transfer the money follows, or does not.
      return session.payment_status === 'paid' ? await take(trx, found, session) : 'nothing'
    case 'checkout.session.async_payment_succeeded':
      return await take(trx, found, session)
    case 'checkout.session.async_payment_failed':
      return await fail(trx, found, 'The payment did not go through')
    case 'checkout.session.expired':
      return await fail(trx, found, 'The payment page has expired')
    default:
      return 'unknown'
  }
}

async function take(trx: Db, found: StoredPayment, { amount_total, currency }: Session): Promise<Outcome> {
  const { payment } = found
  const isAsked =
    payment.method === 'checkout' && currency === 'usd' && amount_total === parseCents(payment.amount)
  if (isAsked) {
    await creditPayment(trx, found, { by: null, note: null })
    return 'credited'
  }
  const told = typeof amount_total === 'number' ? formatCents(amount_total) : 'no amount'
  const failure = `The provider reports ${told} ${currency?.toUpperCase() ?? ''}, not ${payment.amount} USD. Nothing was credited; an administrator decides.`
  await changePayment(trx, payment.id, { status: 'pending', failure })
  return 'flagged'
}

/** What waits for an administrator goes on waiting. */
async function fail(trx: Db, { payment }: StoredPayment, failure: string): Promise<Outcome> {
  if (payment.status !== 'pending' || payment.failure !== null) return 'nothing'
  await changePayment(trx, payment.id, { status: 'failed', failure, isDecided: true })
  return 'failed'
}
