import type { Db } from '#core/data/database.ts'
import { changeClientAccount, isErased, lockClientAccount } from '#core/data/market/client-accounts.ts'
import {
  datePaymentMethod,
  findPaymentCustomer,
  keepPaymentMethod,
} from '#core/data/market/payments/payment-customers.ts'
import { insertProviderEnds, removeProviderEnd } from '#core/data/market/payments/provider-ends.ts'
import { endRecharge } from './end-recharge.ts'

/**
 * Stores a client's payment method in place of the previous one, which the provider removes. An agreement names its
 * card, so the auto-recharge is off until the client agrees to the new one. A late report replaces neither a newer card
 * nor one that the client has removed since; the provider removes the reported card. Nothing is stored for an erased
 * client.
 */
export async function keepMethod(
  trx: Db,
  userId: string,
  kept: { customer: string; method: string; at: Date },
): Promise<void> {
  // With this lock, agreeing, removing a card and erasing the account wait for each other.
  await lockClientAccount(trx, userId)
  const known = await findPaymentCustomer(trx, userId)
  const before = known?.method_id ?? null
  if (before === kept.method) return await datePaymentMethod(trx, userId, kept.at)
  const changedAt = known?.method_changed_at ?? null
  if ((changedAt !== null && kept.at < changedAt) || (await isErased(trx, userId)))
    return await insertProviderEnds(trx, [{ name: kept.method, kind: 'method' }])
  await keepPaymentMethod(trx, userId, kept)
  // An earlier removal of it may still wait at the provider.
  await removeProviderEnd(trx, kept.method)
  // An agreement on a screen that shows another card does not hold for this one.
  await changeClientAccount(trx, userId, {})
  if (before === null) return
  await insertProviderEnds(trx, [{ name: before, kind: 'method' }])
  const reason = 'Another card is kept now. Agree to charge it, and the auto-recharge goes on.'
  await endRecharge(trx, userId, reason, kept.method)
}
