import { sql } from 'kysely'
import type { ClientAccount } from '#core/contract/market/client-account.ts'
import type { Db } from '../../database.ts'

/**
 * Stores the client's agreement. The auto-recharge charges only these amounts, to the stored payment method, under
 * these words.
 */
export async function keepAgreement(
  trx: Db,
  { user_id, ...account }: ClientAccount,
  { terms, by }: { terms: string; by: string },
): Promise<void> {
  const {
    auto_recharge_threshold: threshold,
    auto_recharge_amount: amount,
    auto_recharge_monthly_max: monthly_max,
  } = account
  if (threshold === null || amount === null || monthly_max === null) return
  // A new card starts without the failures of the earlier one. Other amounts for the same card do not clear them: that
  // would only bring the next try forward.
  await sql`
    update client_accounts set auto_recharge_failures = 0, auto_recharge_not_before = null
    where user_id = ${user_id} and not exists (
      select from payment_customers c join auto_recharge_agreements g
        on g.client_user_id = c.client_user_id and g.agreed_at >= c.saved_at
      where c.client_user_id = ${user_id})`.execute(trx)
  await trx
    .insertInto('auto_recharge_agreements')
    .values({
      client_user_id: user_id,
      terms,
      threshold,
      amount,
      monthly_max,
      agreed_by: by,
      covers_price: true,
      method_id: sql<string>`(select method_id from payment_customers where client_user_id = ${user_id})`,
    })
    .execute()
}

/**
 * Switches it off if it is on, and stores the reason for its client.
 * @returns whether it was on
 */
export async function stopRecharge(trx: Db, userId: string, why: string): Promise<boolean> {
  const stopped = await trx
    .updateTable('client_accounts')
    .set({
      auto_recharge_enabled: false,
      auto_recharge_stopped: why,
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('user_id', '=', userId)
    .where('auto_recharge_enabled', '=', true)
    .returning('user_id')
    .executeTakeFirst()
  return stopped !== undefined
}

/** Clears earlier failures after a success. */
export async function noteRechargeSuccess(trx: Db, userId: string): Promise<void> {
  await trx
    .updateTable('client_accounts')
    .set({ auto_recharge_failures: 0, auto_recharge_not_before: null })
    .where('user_id', '=', userId)
    .where('auto_recharge_failures', '>', 0)
    .execute()
}

/** @returns number of failures in a row */
export async function noteRechargeFailure(trx: Db, userId: string, hours: number): Promise<number> {
  const row = await trx
    .updateTable('client_accounts')
    .set({
      auto_recharge_failures: sql<number>`auto_recharge_failures + 1`,
      auto_recharge_not_before: sql<Date>`now() + make_interval(hours => ${hours})`,
    })
    .where('user_id', '=', userId)
    .returning('auto_recharge_failures')
    .executeTakeFirst()
  return row?.auto_recharge_failures ?? 0
}
