import { sql, type Kysely } from 'kysely'

/**
 * The time, by the payment provider's clock, at which the saved payment method was saved or the previous one
 * removed. A late report replaces nothing newer. Older versions leave it as it is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_customers add column method_changed_at timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_customers drop column method_changed_at`.execute(db)
}
