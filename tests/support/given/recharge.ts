import type { Kysely } from 'kysely'
import { keepAgreement } from '#core/data/market/payments/auto-recharge.ts'
import { changeClientAccount } from '#core/data/market/client-accounts.ts'
import { keepPaymentMethod } from '#core/data/market/payments/payment-customers.ts'
import type { Database } from '#core/data/schema/tables.ts'

/**
 * Creates a client with a saved card who has agreed to a recharge: $100 when less than $50 are left, at most
 * $250 a month.
 */
export async function givenRecharge(
  db: Kysely<Database>,
  client: string,
  fields: { monthlyMax?: string } = {},
): Promise<void> {
  await keepPaymentMethod(db, client, { customer: 'cus_1', method: 'pm_1', at: new Date() })
  const account = await changeClientAccount(db, client, {
    auto_recharge_enabled: true,
    auto_recharge_threshold: '50.00',
    auto_recharge_amount: '100.00',
    auto_recharge_monthly_max: fields.monthlyMax ?? '250.00',
  })
  await keepAgreement(db, account, { terms: 'I agree', by: client })
}
