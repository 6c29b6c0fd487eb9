import { clientAccountSchema, type ClientAccount } from '#core/contract/market/client-account.ts'
import type { CallResult, Person } from '../../support/start-app.ts'
import { eventOfIntent, eventOfPage } from './payment-event.ts'
import type { PaidApp } from './open-paid-app.ts'

/** Amounts of an auto-recharge that a client may agree to. */
export const AMOUNTS = {
  auto_recharge_threshold: '100',
  auto_recharge_amount: '250',
  auto_recharge_monthly_max: '1000',
}

/** Calls by which a client reads and changes the account and saves a card. */
export function accountCalls(paid: PaidApp): {
  call: (who: Person, method: string, path: string, body?: unknown) => Promise<CallResult>
  accountOf: (who: Person) => Promise<ClientAccount>
  patchAccount: (who: Person, change: object) => Promise<CallResult>
  /** Pays $50 and saves the card. @returns the payment's id */
  keepCard: (who: Person) => Promise<string>
} {
  const call = (who: Person, method: string, path: string, body?: unknown) =>
    paid.app.call(method, `/api/v1/${path}`, { token: who.token, body })
  const accountOf = async (who: Person) => clientAccountSchema.parse((await call(who, 'GET', 'account')).json)
  return {
    call,
    accountOf,
    patchAccount: async (who, change) =>
      await call(who, 'PATCH', 'account', { version: (await accountOf(who)).version, ...change }),
    keepCard: async (who) => {
      const { json } = await call(who, 'POST', 'payments', { amount: 50, save_method: true })
      await paid.tell(eventOfIntent(json.id))
      await paid.tell(eventOfPage(json.id))
      return json.id
    },
  }
}
