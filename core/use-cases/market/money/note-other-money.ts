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

/** Money that the provider reports for a payment. */
export interface ReportedMoney {
  intent: string | null
  cents: number | null
  currency: string | null
}

/** Whether reported money differs from the money for which a received payment was credited, as far as is known. */
export function isOtherMoney(
  { payment, decided_by: by, provider_intent_id: known }: StoredPayment,
  { intent }: Pick<ReportedMoney, 'intent'>,
): boolean {
  if (payment.status !== 'received' || intent === null) return false
  // Money that an administrator confirmed has no provider's name.
  return known === null ? by !== null : known !== intent
}

/**
 * Stores money that came for an already received payment as a payment of its own, which waits for an administrator. A
 * page that stayed open was paid again, or the money is what the administrator had confirmed. Runs under the lock of
 * its intent; a repeated report is stored once.
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
