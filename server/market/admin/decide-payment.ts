import type { Payment } from '#core/contract/market/money/payment.ts'
import type { Db } from '#core/data/database.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { ADJUSTMENT_HOURS, needsSecondPerson } from '#core/domain/market/judge-adjustment.ts'
import { sumRecentAdjustments } from '#core/data/market/money/recent-adjustments.ts'
import { isErased } from '#core/data/market/client-accounts.ts'
import { changePayment, findPayment, type StoredPayment } from '#core/data/market/payments/payments.ts'
import { insertProviderEnds } from '#core/data/market/payments/provider-ends.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import { UNKNOWN_OUTCOME } from '#core/domain/market/payments/say-recharge.ts'
import { AppError } from '#core/errors.ts'
import { creditPayment } from '#core/use-cases/market/money/credit-payment.ts'
import { endAtProvider } from '#core/use-cases/market/money/end-at-provider.ts'
import type { ServerContext } from '../../context.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { auditChange, type By } from '../audit-change.ts'

type DecidingContext = Pick<ServerContext, 'db' | 'logger' | 'paymentProvider' | 'config'>

interface Decision {
  by: By
  note: string | null
}

/**
 * An administrator has seen the money: the amount received is added to the balance. If two decide at once,
 * only one succeeds.
 * @param decision.amount dollars; without it the amount that the provider reports, or else the amount asked
 * for
 * @throws AppError not_found; conflict if it is decided, for the administrator's own account, and for more above the
 * expected amount than an adjustment may move alone; validation_failed if the amount is unknown, or differs without a
 * reason
 */
export async function receivePayment(
  context: DecidingContext,
  id: string,
  { by, note, amount }: Decision & { amount?: string | undefined },
): Promise<Payment> {
  return await decide(context, id, async (trx, found) => {
    const erased = new AppError(
      'conflict',
      'This account was erased. Pay the money back, and reject the payment.',
    )
    if (await isErased(trx, found.client_user_id)) throw erased
    const came =
      amount ?? found.told_amount ?? (found.payment.failure === null ? found.payment.amount : undefined)
    if (came === undefined) throw refuse('amount', 'Say how much came in')
    const isExpected = came === found.payment.amount || came === found.told_amount
    if (!isExpected && note === null) throw refuse('note', 'Say why this is another amount')
    await refuseBeyondLimit(context, trx, by, found, came)
    if ((await creditPayment(trx, found, { by: by.caller.user_id, note, came })) === 'flagged') throw erased
    await audit(trx, by, 'payment_received', found, { note, amount: came })
  })
}

/**
 * An amount that nobody asked for or reported is an administrator's word alone, so it has the limit of an adjustment.
 * @throws AppError conflict
 */
async function refuseBeyondLimit(
  { config }: DecidingContext,
  trx: Db,
  { caller: { user_id: by } }: By,
  { client_user_id: client, payment, told_amount }: StoredPayment,
  came: string,
): Promise<void> {
  if (client === by)
    throw new AppError(
      'conflict',
      'This is your own account: another administrator marks its payments as received.',
    )
  const more = requireCents(came) - Math.max(requireCents(payment.amount), requireCents(told_amount ?? '0'))
  if (more <= 0) return
  const amount = formatCents(more)
  const recent = await sumRecentAdjustments(trx, { by, client, hours: ADJUSTMENT_HOURS })
  if (!needsSecondPerson({ amount, recent, isOwn: false }, config.adjustmentLimit)) return
  throw new AppError(
    'conflict',
    `This is $${amount} more than was asked for or reported. Receive what was asked for; an adjustment, which another administrator confirms, adds the rest.`,
  )
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
      // The provider has reported no money under that name: money that comes later is not the rejected
      // payment.
      ...(found.payment.failure === UNKNOWN_OUTCOME && { provider_intent_id: null }),
    })
    const data = { payment_id: id, amount: found.payment.amount, failure: note ?? 'No money came in.' }
    await tellClient(trx, found.client_user_id, { template: 'payment_failed', data }, id)
    await audit(trx, by, 'payment_rejected', found, { note })
  })
}

export function notPending({ status }: Payment): AppError {
  return new AppError('conflict', `This payment is ${status} already.`)
}

/**
 * Queues the closing of a payment's page, in the transaction that settles it.
 * @returns the provider's names of the pages to close
 */
export async function endPage(trx: Db, { provider_session_id: name }: StoredPayment): Promise<string[]> {
  if (name === null) return []
  await insertProviderEnds(trx, [{ name, kind: 'page' }])
  return [name]
}

/** Closes the provider's page of a decided payment, so that nobody pays it again there. */
async function decide(
  context: DecidingContext,
  id: string,
  act: (trx: Db, found: StoredPayment) => Promise<void>,
): Promise<Payment> {
  const pages = await repeatOnConflict(() =>
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
      // If the provider has reported money, its page is already paid.
      return failure === null ? await endPage(trx, found) : []
    }),
  )
  await endAtProvider(context, { only: pages })
  // Read after the commit, which numbers the receipt.
  const decided = await findPayment(context.db, id)
  if (decided === undefined) throw new AppError('not_found', 'Payment not found')
  return decided.payment
}

async function audit(
  trx: Db,
  by: By,
  action: 'payment_received' | 'payment_rejected',
  { payment, client_user_id: client }: StoredPayment,
  { note, amount = payment.amount }: { note: string | null; amount?: string },
): Promise<void> {
  const status = action === 'payment_received' ? 'received' : 'failed'
  const isOther = amount !== payment.amount
  const details = {
    payment_id: payment.id,
    amount,
    before: { status: payment.status, ...(isOther && { amount: payment.amount }) },
    after: { status, ...(isOther && { amount }) },
    note,
  }
  await auditChange(trx, by, { action, client, details })
}

function refuse(path: string, message: string): AppError {
  return new AppError('validation_failed', message, { errors: [{ path, message }] })
}
