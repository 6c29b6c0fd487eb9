import type { Db } from '#core/data/database.ts'
import { noteRechargeFailure, noteRechargeSuccess } from '#core/data/market/payments/auto-recharge.ts'
import { lookAtFunding } from '#core/data/market/client-funding.ts'
import { lockIntent } from '#core/data/market/payments/payment-reversals.ts'
import { changePayment, findPayment, type StoredPayment } from '#core/data/market/payments/payments.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { HOURS_AFTER_FAILURE, MOST_RECHARGE_FAILURES } from '#core/domain/market/payments/judge-recharge.ts'
import { sayReported } from '#core/domain/market/payments/say-reported.ts'
import { sayDecline } from '#core/domain/market/payments/say-recharge.ts'
import type { Charge } from '#core/payments/read-charge.ts'
import { endRecharge } from './end-recharge.ts'
import { creditPayment } from './credit-payment.ts'
import { isOtherMoney, noteOtherMoney } from './note-other-money.ts'
import { settleReversals } from './settle-reversals.ts'

/**
 * Records the outcome of a charge once, whether the answer to it or the provider's event comes first. Money that came
 * is credited even if the payment had been given up.
 */
export async function settleCharge(
  trx: Db,
  id: string,
  charge: Charge,
): Promise<'credited' | 'failed' | 'flagged' | 'moved' | 'nothing' | 'unknown'> {
  if (charge.intent !== null) await lockIntent(trx, charge.intent)
  const stored = await findPayment(trx, id, { isLocked: true })
  if (stored === undefined) return 'unknown'
  if (charge.outcome === 'succeeded') {
    if (isOtherMoney(stored, charge)) return await noteOtherMoney(trx, stored, charge)
    if (isRejected(stored, charge)) return 'nothing'
  } else if (stored.payment.status !== 'pending' || stored.payment.failure !== null) {
    // The provider's name of the money is not stored either: the deciding administrator has not seen any money under
    // it.
    return 'nothing'
  }
  const found = { ...stored, provider_intent_id: stored.provider_intent_id ?? charge.intent }
  if (found.provider_intent_id !== stored.provider_intent_id)
    await changePayment(trx, id, { provider_intent_id: found.provider_intent_id })
  if (found.payment.status === 'received') return await settleReversals(trx, found)
  if (charge.outcome === 'processing') return 'nothing'
  return charge.outcome === 'failed' ? await fail(trx, found, charge.code) : await take(trx, found, charge)
}

/** Whether an administrator has seen exactly this money and rejected it: then it is sent back. */
function isRejected(
  { payment, decided_by: by, provider_intent_id: known }: StoredPayment,
  { intent }: Charge,
): boolean {
  return payment.status === 'failed' && by !== null && known !== null && known === intent
}

async function take(
  trx: Db,
  found: StoredPayment,
  { cents, currency }: { cents: number; currency: string },
): Promise<'credited' | 'flagged'> {
  const { payment, client_user_id } = found
  if (currency === 'usd' && cents === requireCents(payment.amount)) {
    await noteRechargeSuccess(trx, client_user_id)
    return await creditPayment(trx, found, { by: null, note: null })
  }
  const failure = `The provider reports ${sayReported(cents, currency)}, not ${payment.amount} USD. Nothing was credited; an administrator decides.`
  const dollars = currency === 'usd' ? formatCents(cents) : null
  await changePayment(trx, payment.id, { status: 'pending', failure, told_amount: dollars })
  return 'flagged'
}

async function fail(
  trx: Db,
  { payment, client_user_id }: StoredPayment,
  code: string | null,
): Promise<'failed'> {
  const failure = sayDecline(code)
  await changePayment(trx, payment.id, { status: 'failed', failure, isDecided: true })
  const failures = await noteRechargeFailure(trx, client_user_id, HOURS_AFTER_FAILURE)
  if (failures >= MOST_RECHARGE_FAILURES)
    await endRecharge(trx, client_user_id, `It failed ${failures} times in a row. ${failure}.`, payment.id)
  else
    await tellClient(
      trx,
      client_user_id,
      { template: 'recharge_failed', data: { amount: payment.amount, failure } },
      payment.id,
    )
  // Notices that waited for the charge are sent now.
  await lookAtFunding(trx, client_user_id)
  return 'failed'
}
