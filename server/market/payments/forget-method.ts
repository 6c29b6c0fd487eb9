import type { ClientAccount } from '#core/contract/market/client-account.ts'
import { stopRecharge } from '#core/data/market/payments/auto-recharge.ts'
import { lockClientAccount } from '#core/data/market/client-accounts.ts'
import { findPaymentCustomer, forgetPaymentMethod } from '#core/data/market/payments/payment-customers.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { ServerContext } from '../../context.ts'
import { noAccount, showAccount } from '../show-account.ts'

/** Forgets the way of paying that is kept, here and at the provider; what is under way is still charged. Once more is harmless. */
export async function forgetMethod(
  { db, logger, paymentProvider }: Pick<ServerContext, 'db' | 'logger' | 'paymentProvider'>,
  userId: string,
): Promise<ClientAccount> {
  const method = await db.transaction().execute(async (trx) => {
    if ((await lockClientAccount(trx, userId)) === undefined) throw noAccount()
    const kept = await findPaymentCustomer(trx, userId)
    await stopRecharge(trx, userId, 'The saved card was removed.')
    await forgetPaymentMethod(trx, userId)
    return kept?.method_id ?? null
  })
  if (method !== null) {
    await paymentProvider?.forgetMethod(method).catch((error: unknown) => {
      logger.warn({ failure: describeError(error) }, 'the payment provider keeps a way of paying')
    })
  }
  return await showAccount({ db }, userId)
}
