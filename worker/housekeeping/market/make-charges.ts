import type { Db } from '#core/data/database.ts'
import { askAgain, claimCharge, type ClaimedCharge } from '#core/data/market/payments/charges.ts'
import { lookAtFunding } from '#core/data/market/client-funding.ts'
import { changePayment, findPayment } from '#core/data/market/payments/payments.ts'
import { readRecharge } from '#core/data/market/payments/recharge-wish.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { requireCents } from '#core/domain/market/cents.ts'
import {
  isAnswerFinal,
  mayAskForCharge,
  secondsToNextAsk,
  waitAfter,
} from '#core/domain/market/payments/judge-recharge.ts'
import { UNKNOWN_OUTCOME } from '#core/domain/market/payments/say-recharge.ts'
import { failpoint } from '#core/failpoints.ts'
import { endRecharge } from '#core/use-cases/market/money/end-recharge.ts'
import { judgeStandingRecharge } from '#core/use-cases/market/money/judge-standing-recharge.ts'
import { settleCharge } from '#core/use-cases/market/money/settle-charge.ts'
import { PROVIDER_TIMEOUT_MS, type PaymentProvider } from '#core/payments/payment-provider.ts'
import type { Charge } from '#core/payments/read-charge.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { WorkerContext } from '#worker/context.ts'

const AT_ONCE = 4
/** No other worker asks during the lease. If this worker dies, another one continues after it. */
const LEASE_SECONDS = (6 * PROVIDER_TIMEOUT_MS) / 1000

type Context = Pick<WorkerContext, 'db' | 'logger' | 'paymentProvider'>

/**
 * Requests the begun charges from the payment provider, each under its own key, so that repeated requests charge once.
 * After a lost answer or a crash it looks up the outcome. Without a provider the charges wait.
 */
export async function makeCharges(context: Context, signal: AbortSignal): Promise<void> {
  const { db, paymentProvider } = context
  if (paymentProvider === undefined) return
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    while (!signal.aborted) {
      const charge = await claimCharge(db, LEASE_SECONDS)
      if (charge === undefined) return
      await make(context, paymentProvider, charge)
    }
  })
  await Promise.all(lanes)
}

async function make(context: Context, provider: PaymentProvider, charge: ClaimedCharge): Promise<void> {
  const { db, logger } = context
  const { id, asks } = charge
  await failpoint('before-charge')
  let told: Charge | 'none' | 'open'
  try {
    told = await ask(db, provider, charge)
  } catch (error) {
    logger.warn(
      { payment_id: id, asks, failure: describeError(error) },
      'what became of a charge is not known',
    )
    return await waitForMore(context, charge)
  }
  await failpoint('after-charge')
  if (told === 'open') return await askAgain(db, id, waitAfter(asks))
  if (told === 'none') return await giveUp(context, charge)
  const outcome = await repeatOnConflict(() => db.transaction().execute((trx) => settleCharge(trx, id, told)))
  logger.info({ payment_id: id, asks, charge: told.outcome, outcome }, 'a charge')
  if (told.outcome === 'processing') await waitForMore(context, { ...charge, intent: told.intent })
}

/**
 * Requests a charge. If it was requested before, that request may have arrived although its answer was lost, so its
 * outcome is looked up first. Nothing is requested once the provider may have forgotten the key, or the client no
 * longer wants the charge.
 * @returns none: nothing was charged, and nothing will be; open: an earlier request may still arrive
 */
async function ask(
  db: Context['db'],
  provider: PaymentProvider,
  charge: ClaimedCharge,
): Promise<Charge | 'none' | 'open'> {
  const { id, amount, customer, method, intent, asks, age, begun } = charge
  if (intent !== null) return await provider.findCharge(intent)
  const known = asks === 1 ? undefined : await provider.lookUpCharge({ id, customer, begun })
  if (known !== undefined) return known
  if (mayAskForCharge(age) && (await isWanted(db, charge)))
    return await provider.charge({ id, cents: requireCents(amount), customer, method })
  return isAnswerFinal(asks) ? 'none' : 'open'
}

/** Whether the auto-recharge would charge exactly this amount now. */
async function isWanted(
  db: Context['db'],
  { id, client_user_id, amount, method }: ClaimedCharge,
): Promise<boolean> {
  const standing = await readRecharge(db, client_user_id, id)
  if (standing === undefined || judgeStandingRecharge(standing) !== 'charge') return false
  return standing.recharge?.amount === amount && standing.recharge.method === method
}

/** Cancels a charge that was not made; if it is still wanted, another one begins under its own key. */
async function giveUp({ db, logger }: Context, { id, client_user_id, asks }: ClaimedCharge): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await isOpen(trx, id))) return
    await changePayment(trx, id, { status: 'cancelled', isDecided: true })
    await lookAtFunding(trx, client_user_id)
  })
  logger.info({ payment_id: id, asks }, 'a charge that is not wanted any more')
}

/** Asks again while an outcome may still come; after that an administrator decides. */
async function waitForMore({ db }: Context, charge: ClaimedCharge): Promise<void> {
  const { id, client_user_id, asks, age, intent } = charge
  const seconds = secondsToNextAsk(asks, age, intent !== null)
  if (seconds !== undefined) return await askAgain(db, id, seconds)
  await repeatOnConflict(() =>
    db.transaction().execute(async (trx) => {
      if (!(await isOpen(trx, id))) return
      await changePayment(trx, id, { failure: UNKNOWN_OUTCOME })
      await endRecharge(trx, client_user_id, 'It is not known what became of the last charge.', id)
      await lookAtFunding(trx, client_user_id)
    }),
  )
}

/**
 * Whether the charge still has no outcome: one may have come while we waited for the answer. Locks the charge until the
 * end of the transaction.
 */
async function isOpen(trx: Db, id: string): Promise<boolean> {
  const payment = (await findPayment(trx, id, { isLocked: true }))?.payment
  return payment?.status === 'pending' && payment.failure === null
}
