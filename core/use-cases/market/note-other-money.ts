import type { Db } from '#core/data/database.ts'
import {
  findPayment,
  findPaymentOfIntent,
  insertPayment,
  type StoredPayment,
} from '#core/data/market/payments/payments.ts'
import { sayReported } from '#core/domain/market/payments/say-reported.ts'
import { formatCents } from '#core/domain/market/cents.ts'
import { settleReversals } from './settle-reversals.ts'

/** Money that the provider reports of a payment. */
export interface ReportedMoney {
  intent: string | null
  cents: number | null
  currency: string | null
}

/** Whether money that the provider reports is not what a received payment was credited for, as far as is known. */
export function isOtherMoney(
  { payment, decided_by: by, provider_intent_id: known }: StoredPayment,
  { intent }: Pick<ReportedMoney, 'intent'>,
): boolean {
  if (payment.status !== 'received' || intent === null) return false
  // Money that an administrator saw is not known by the provider's name.
  return known === null ? by !== null : known !== intent
}

/**
 * Keeps money that came for a payment which was received already, as a payment of its own that waits for an administrator: a page that
 * stayed open was paid again, or it is the money that an administrator had seen. Under the lock of its intent; told twice, it is kept once.
 */
export async function noteOtherMoney(
  trx: Db,
  { payment, client_user_id }: StoredPayment,
  { intent, cents, currency }: ReportedMoney & { intent: string },
): Promise<'flagged' | 'moved' | 'nothing'> {
  const known = await findPaymentOfIntent(trx, intent)
  if (known !== undefined) {
    const found = await findPayment(trx, known, { isLocked: true })
    return found?.payment.status === 'received' ? await settleReversals(trx, found) : 'nothing'
  }
  const dollars = currency === 'usd' && cents !== null && cents > 0 ? formatCents(cents) : null
  await insertPayment(trx, {
    client_user_id,
    method: 'checkout',
    amount: dollars ?? payment.amount,
    told_amount: dollars,
    provider_intent_id: intent,
    failure: `The provider reports ${sayReported(cents, currency)} for a payment that was received already. Nothing was credited for it; an administrator decides whether it is other money.`,
  })
  return 'flagged'
}
