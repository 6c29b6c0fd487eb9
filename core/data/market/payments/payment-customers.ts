import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** A client's customer record at the payment provider, and the stored payment method. */
export interface PaymentCustomer {
  customer_id: string
  method_id: string | null
  method_label: string | null
  /** when that payment method was stored, by the provider's clock, or the one before was removed */
  method_changed_at: Date | null
}

export async function findPaymentCustomer(db: Db, userId: string): Promise<PaymentCustomer | undefined> {
  return await db
    .selectFrom('payment_customers')
    .select(['customer_id', 'method_id', 'method_label', 'method_changed_at'])
    .where('client_user_id', '=', userId)
    .executeTakeFirst()
}

/**
 * If two are stored at once, the first one counts.
 * @returns the stored customer
 */
export async function keepPaymentCustomer(db: Db, userId: string, customer: string): Promise<string> {
  await db
    .insertInto('payment_customers')
    .values({ client_user_id: userId, customer_id: customer })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await findPaymentCustomer(db, userId))?.customer_id ?? customer
}

/**
 * Replaces the stored payment method.
 * @param kept.at when the client saved it, by the provider's clock
 */
export async function keepPaymentMethod(
  trx: Db,
  userId: string,
  { customer, method, at }: { customer: string; method: string; at: Date },
): Promise<void> {
  await sql`
    insert into payment_customers (client_user_id, customer_id, method_id, saved_at, method_changed_at)
    values (${userId}, ${customer}, ${method}, now(), ${at})
    on conflict (client_user_id) do update set customer_id = excluded.customer_id, method_id = excluded.method_id,
      method_label = null, saved_at = excluded.saved_at, method_changed_at = excluded.method_changed_at
    where payment_customers.method_id is distinct from excluded.method_id`.execute(trx)
}

/**
 * Notes that the stored payment method was saved once more.
 * @param at by the provider's clock
 */
export async function datePaymentMethod(trx: Db, userId: string, at: Date): Promise<void> {
  await sql`
    update payment_customers set method_changed_at = greatest(method_changed_at, ${at})
    where client_user_id = ${userId}`.execute(trx)
}

export async function labelPaymentMethod(
  db: Db,
  userId: string,
  method: string,
  label: string,
): Promise<void> {
  await db
    .updateTable('payment_customers')
    .set({ method_label: label.slice(0, 80) })
    .where('client_user_id', '=', userId)
    .where('method_id', '=', method)
    .execute()
}

export async function forgetPaymentMethod(trx: Db, userId: string): Promise<void> {
  await trx
    .updateTable('payment_customers')
    // In whole seconds, as in the provider's times.
    .set({
      method_id: null,
      method_label: null,
      saved_at: null,
      method_changed_at: sql<Date>`date_trunc('second', now())`,
    })
    .where('client_user_id', '=', userId)
    .execute()
}
