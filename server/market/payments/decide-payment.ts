import type { Payment } from '#core/contract/market/payment.ts'
import type { Db } from '#core/data/database.ts'
import { changePayment, findPayment, type StoredPayment } from '#core/data/market/payments/payments.ts'
import { insertProviderEnds } from '#core/data/market/payments/provider-ends.ts'
import { tellClient } from '#core/data/market/tell-client.ts'
import { AppError } from '#core/errors.ts'
import { creditPayment } from '#core/market/credit-payment.ts'
import { endAtProvider } from '#core/market/end-at-provider.ts'
import type { ServerContext } from '../../context.ts'
import { repeatOnConflict } from '../../http/database/repeat-on-conflict.ts'
import { auditChange, type By } from '../audit-change.ts'

type DecidingContext = Pick<ServerContext, 'db' | 'logger' | 'paymentProvider'>

interface Decision {
  by: By
  note: string | null
}

/** An administrator has seen the money: it is on the balance from now on. Of two at once, one. @throws AppError not_found, conflict */
export async function receivePayment(
  context: DecidingContext,
  id: string,
  { by, note }: Decision,
): Promise<Payment> {
  return await decide(context, id, async (trx, found) => {
    if ((await creditPayment(trx, found, { by: by.caller.user_id, note })) === 'flagged')
      throw new AppError('conflict', 'This account was erased. Pay the money back, and reject the payment.')
    await audit(trx, by, 'payment_received', found)
  })
}

/** No money came, or it was sent back. @throws AppError not_found, conflict */
export async function rejectPayment(
  context: DecidingContext,
  id: string,
  { by, note }: Decision,
): Promise<Payment> {
  return await decide(context, id, async (trx, found) => {
    const failure = 'Rejected by an administrator'
    await changePayment(trx, id, {
      status: 'failed',
      failure,
      note: note ?? found.payment.note,
      decided_by: by.caller.user_id,
      isDecided: true,
    })
    const data = { payment_id: id, amount: found.payment.amount, failure: note ?? 'No money came in.' }
    await tellClient(trx, found.client_user_id, { template: 'payment_failed', data }, id)
    await audit(trx, by, 'payment_rejected', found)
  })
}

export function notPending({ status }: Payment): AppError {
  return new AppError('conflict', `This payment is ${status} already.`)
}

/** Has a payment's page closed, in the transaction that settles it. @returns the provider's names of what is to end */
export async function endPage(trx: Db, { provider_session_id: name }: StoredPayment): Promise<string[]> {
  if (name === null) return []
  await insertProviderEnds(trx, [{ name, kind: 'page' }])
  return [name]
}

/** What is decided is not paid again on the provider's page, which closes. */
async function decide(
  context: DecidingContext,
  id: string,
  act: (trx: Db, found: StoredPayment) => Promise<void>,
): Promise<Payment> {
  const { pages, decided } = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const found = await findPayment(trx, id, { isLocked: true })
      if (found === undefined) throw new AppError('not_found', 'Payment not found')
      if (found.payment.status !== 'pending') throw notPending(found.payment)
      const { kind, failure } = found.payment
      if (kind === 'auto_recharge' && failure === null)
        throw new AppError(
          'conflict',
          'This payment is being charged. The payment provider tells what comes of it.',
        )
      await act(trx, found)
      const decided = (await findPayment(trx, id))?.payment ?? found.payment
      // Where the provider has told of money its page is paid.
      return { pages: failure === null ? await endPage(trx, found) : [], decided }
    }),
  )
  await endAtProvider(context, { only: pages })
  return decided
}

async function audit(
  trx: Db,
  by: By,
  action: 'payment_received' | 'payment_rejected',
  { payment, client_user_id: client }: StoredPayment,
): Promise<void> {
  const status = action === 'payment_received' ? 'received' : 'failed'
  const details = {
    payment_id: payment.id,
    amount: payment.amount,
    before: { status: payment.status },
    after: { status },
  }
  await auditChange(trx, by, { action, client, details })
}
