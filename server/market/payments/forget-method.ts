import type { ClientAccount } from '#core/contract/market/client-account.ts'
import { stopRecharge } from '#core/data/market/payments/auto-recharge.ts'
import { lockClientAccount } from '#core/data/market/client-accounts.ts'
import { findPaymentCustomer, forgetPaymentMethod } from '#core/data/market/payments/payment-customers.ts'
import { insertProviderEnds } from '#core/data/market/payments/provider-ends.ts'
import { endAtProvider } from '#core/use-cases/market/money/end-at-provider.ts'
import type { ServerContext } from '../../context.ts'
import { noAccount, showAccount } from '../show-account.ts'

/**
 * Deletes the saved payment method, here and at the provider; payments in progress are still charged. A
 * repeat is harmless.
 */
export async function forgetMethod(
  context: Pick<ServerContext, 'db' | 'logger' | 'paymentProvider'>,
  userId: string,
): Promise<ClientAccount> {
  const { db } = context
  const forgotten = await db.transaction().execute(async (trx) => {
    if ((await lockClientAccount(trx, userId)) === undefined) throw noAccount()
    const kept = await findPaymentCustomer(trx, userId)
    await stopRecharge(trx, userId, 'The saved card was removed.')
    await forgetPaymentMethod(trx, userId)
    const names = kept === undefined || kept.method_id === null ? [] : [kept.method_id]
    await insertProviderEnds(
      trx,
      names.map((name) => ({ name, kind: 'method' })),
    )
    return names
  })
  await endAtProvider(context, { only: forgotten })
  return await showAccount({ db }, userId)
}
