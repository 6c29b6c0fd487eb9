import { askAgain, claimCharge, type ClaimedCharge } from '#core/data/market/payments/charges.ts'
import { lookAtFunding } from '#core/data/market/client-funding.ts'
import { changePayment } from '#core/data/market/payments/payments.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { requireCents } from '#core/domain/market/cents.ts'
import { secondsToNextAsk } from '#core/domain/market/judge-recharge.ts'
import { failpoint } from '#core/failpoints.ts'
import { endRecharge } from '#core/market/end-recharge.ts'
import { settleCharge } from '#core/market/settle-charge.ts'
import { PROVIDER_TIMEOUT_MS, type PaymentProvider } from '#core/payments/payment-provider.ts'
import type { Charge } from '#core/payments/read-charge.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { WorkerContext } from '#worker/context.ts'

const AT_ONCE = 4
/** Nobody else asks meanwhile; who has died is followed by another. */
const LEASE_SECONDS = (3 * PROVIDER_TIMEOUT_MS) / 1000

type Context = Pick<WorkerContext, 'db' | 'logger' | 'paymentProvider'>

/**
 * Asks the payment provider for the charges that are begun, each under its own key, so that it charges once however often it is asked:
 * what became of one is asked again after a lost answer or a death. Without a provider they wait.
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
  if (asks === 1 && !charge.is_wanted)
    return await changePayment(db, id, { status: 'cancelled', isDecided: true, whileIn: ['pending'] })
  await failpoint('before-charge')
  let told: Charge
  try {
    told = await ask(provider, charge)
  } catch (error) {
    logger.warn(
      { payment_id: id, asks, failure: describeError(error) },
      'what became of a charge is not known',
    )
    return await waitForMore(context, charge)
  }
  await failpoint('after-charge')
  const outcome = await repeatOnConflict(() => db.transaction().execute((trx) => settleCharge(trx, id, told)))
  logger.info({ payment_id: id, asks, charge: told.outcome, outcome }, 'a charge')
  if (told.outcome === 'processing') await waitForMore(context, charge)
}

async function ask(provider: PaymentProvider, { id, amount, customer, method, intent }: ClaimedCharge) {
  return intent === null
    ? await provider.charge({ id, cents: requireCents(amount), customer, method })
    : await provider.findCharge(intent)
}

/** Where its name is known it can be asked about for as long as it takes; otherwise only while the provider knows the key. */
async function waitForMore({ db }: Context, { id, client_user_id, asks, age }: ClaimedCharge): Promise<void> {
  const seconds = secondsToNextAsk(asks, age)
  if (seconds !== undefined) return await askAgain(db, id, seconds)
  await repeatOnConflict(() =>
    db.transaction().execute(async (trx) => {
      const failure = 'The provider does not say whether this was charged. An administrator decides.'
      await changePayment(trx, id, { failure, whileIn: ['pending'] })
      await endRecharge(trx, client_user_id, 'It is not known what became of the last charge.', id)
      await lookAtFunding(trx, client_user_id)
    }),
  )
}
