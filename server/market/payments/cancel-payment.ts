import type { Payment } from '#core/contract/market/money/payment.ts'
import { changePayment, findPayment } from '#core/data/market/payments/payments.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import { endAtProvider } from '#core/use-cases/market/money/end-at-provider.ts'
import { endPage, notPending } from '../admin/decide-payment.ts'

/**
 * Cancels a waiting payment, and closes its page. If the client pays there at the same moment, the payment
 * counts: the provider's event credits it.
 * @throws AppError not_found; conflict if it is settled, or waits for an administrator
 */
export async function cancelPayment(
  context: Pick<ServerContext, 'db' | 'logger' | 'paymentProvider'>,
  { user_id: userId, person_id: by }: Pick<Principal, 'user_id' | 'person_id'>,
  id: string,
): Promise<Payment> {
  const { pages, cancelled } = await context.db.transaction().execute(async (trx) => {
    const found = await findPayment(trx, id, { userId, isLocked: true })
    if (found === undefined) throw new AppError('not_found', 'Payment not found')
    const { payment } = found
    if (payment.status === 'cancelled') return { pages: [], cancelled: payment }
    if (payment.status !== 'pending') throw notPending(payment)
    if (payment.kind === 'auto_recharge')
      throw new AppError('conflict', 'This payment is being charged and cannot be cancelled.')
    if (payment.failure !== null) throw new AppError('conflict', 'An administrator looks at this payment.')
    await changePayment(trx, id, { status: 'cancelled', decided_by: by, isDecided: true })
    const changed = await findPayment(trx, id, { userId })
    return { pages: await endPage(trx, found), cancelled: changed?.payment ?? payment }
  })
  await endAtProvider(context, { only: pages })
  return cancelled
}
