import { sql, type Kysely } from 'kysely'

/**
 * When the way of paying that is kept was kept, by the payment provider's clock, or the one before it was removed: what is told late replaces
 * nothing newer. Older versions leave it as it is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_customers add column method_changed_at timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_customers drop column method_changed_at`.execute(db)
}
