import type { Payment } from '#core/contract/market/payment.ts'
import { changePayment, findPayment } from '#core/data/market/payments/payments.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { closePage, notPending } from './decide-payment.ts'

/**
 * Takes back a payment that waits, and closes its page. Who has paid there in the same moment has paid: the provider's event credits it.
 * @throws AppError not_found; conflict for what is settled, or waits for an administrator
 */
export async function cancelPayment(
  { db, logger, paymentProvider }: Pick<ServerContext, 'db' | 'logger' | 'paymentProvider'>,
  userId: string,
  id: string,
): Promise<Payment> {
  const { session, cancelled } = await db.transaction().execute(async (trx) => {
    const found = await findPayment(trx, id, { userId, isLocked: true })
    if (found === undefined) throw new AppError('not_found', 'Payment not found')
    const { payment } = found
    if (payment.status === 'cancelled') return { session: null, cancelled: payment }
    if (payment.status !== 'pending') throw notPending(payment)
    if (payment.kind === 'auto_recharge')
      throw new AppError('conflict', 'This payment is being charged and cannot be cancelled.')
    if (payment.failure !== null) throw new AppError('conflict', 'An administrator looks at this payment.')
    await changePayment(trx, id, { status: 'cancelled', decided_by: userId, isDecided: true })
    const changed = await findPayment(trx, id, { userId })
    return { session: found.provider_session_id, cancelled: changed?.payment ?? payment }
  })
  if (session !== null) await closePage({ logger, paymentProvider }, id, session)
  return cancelled
}
