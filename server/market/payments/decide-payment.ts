import type { Payment } from '#core/contract/market/payment.ts'
import type { Db } from '#core/data/database.ts'
import { changePayment, findPayment, type StoredPayment } from '#core/data/market/payments.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { repeatOnConflict } from '../../http/repeat-on-conflict.ts'
import { creditPayment } from './credit-payment.ts'

interface Decision {
  by: string
  note: string | null
}

/** An administrator has seen the money: it is on the balance from now on. Of two at once, one. @throws AppError not_found, conflict */
export async function receivePayment(
  context: Pick<ServerContext, 'db'>,
  id: string,
  decision: Decision,
): Promise<Payment> {
  return await decide(context, id, async (trx, found) => {
    await creditPayment(trx, found, decision)
  })
}

/** No money came, or it was sent back. @throws AppError not_found, conflict */
export async function rejectPayment(
  context: Pick<ServerContext, 'db'>,
  id: string,
  { by, note }: Decision,
): Promise<Payment> {
  return await decide(context, id, async (trx, { payment }) => {
    const failure = 'Rejected by an administrator'
    await changePayment(trx, id, {
      status: 'failed',
      failure,
      note: note ?? payment.note,
      decided_by: by,
      isDecided: true,
    })
  })
}

export function notPending({ status }: Payment): AppError {
  return new AppError('conflict', `This payment is ${status} already.`)
}

async function decide(
  { db }: Pick<ServerContext, 'db'>,
  id: string,
  act: (trx: Db, found: StoredPayment) => Promise<void>,
): Promise<Payment> {
  return await repeatOnConflict(() =>
    db.transaction().execute(async (trx) => {
      const found = await findPayment(trx, id, { isLocked: true })
      if (found === undefined) throw new AppError('not_found', 'Payment not found')
      if (found.payment.status !== 'pending') throw notPending(found.payment)
      await act(trx, found)
      return (await findPayment(trx, id))?.payment ?? found.payment
    }),
  )
}
